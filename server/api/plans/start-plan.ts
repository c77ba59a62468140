import { z } from "zod";
import { procedure } from "../trpc.ts";
import { jobSchema, viewJob } from "./job-schema.ts";

/** Hands the plan to the worker. Asking twice answers with the first job. */
export const startPlan = procedure
  .input(z.object({ planId: z.string().min(1) }))
  .output(jobSchema)
  .mutation(async ({ ctx, input }) => {
    const job = await ctx.operations.requestApply({ planId: input.planId, by: ctx.server.user });
    return viewJob(job);
  });
