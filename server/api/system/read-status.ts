import { z } from "zod";
import { procedure } from "../trpc.ts";

const worker = z.discriminatedUnion("state", [
  z.object({ state: z.literal("starting") }),
  z.object({ state: z.literal("running"), since: z.string() }),
  z.object({ state: z.literal("restarting"), since: z.string(), nextTryAt: z.string(), restarts: z.number() }),
  z.object({ state: z.literal("stopped") }),
]);

/** Who and where we are, what waits, and whether the worker is alive. */
export const readStatus = procedure
  .output(
    z.object({
      project: z.string(),
      gateway: z.string(),
      user: z.string(),
      tool: z.string(),
      worker,
      waiting: z.number(),
      running: z.number(),
    }),
  )
  .query(async ({ ctx }) => {
    const plans = await ctx.operations.listPlans({
      environment: null,
      states: ["open", "approved", "applying"],
      limit: 200,
    });
    const waits = plans.filter(({ state, view }) => state !== "applying" && view.result === "applicable");
    const runs = await ctx.operations.listRuns({ planId: null, environment: null, limit: 50 });
    return {
      ...ctx.server,
      worker: ctx.workerStatus(),
      waiting: waits.length,
      running: runs.filter(({ state }) => state === "running" || state === "stopping").length,
    };
  });
