import { z } from "zod";
import { procedure } from "../trpc.ts";

const text = z.object({ version: z.string().nullable(), text: z.string(), path: z.string() }).nullable();

/** A model's text before and after the plan; null for objects that aren't models of it. */
export const readDefinition = procedure
  .input(z.object({ planId: z.string().min(1), model: z.string().min(1) }))
  .output(z.object({ previous: text, current: text }).nullable())
  .query(async ({ ctx, input }) => {
    const { view } = await ctx.operations.showPlan(input.planId);
    const change = view.changes.find(({ model }) => model === input.model);
    return change === undefined ? null : { previous: change.previous, current: change.current };
  });
