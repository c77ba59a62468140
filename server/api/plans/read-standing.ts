import { z } from "zod";
import { procedure } from "../trpc.ts";
import { shownPlanSchema } from "./shown-plan-schema.ts";

/** What changes about a plan after it was made; the plan itself never does, so pages ask for it once. */
export const readStanding = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(shownPlanSchema.omit({ view: true, title: true }))
  .query(async ({ ctx, input }) => {
    const { view: _, ...standing } = await ctx.operations.showPlan(input.id);
    return standing;
  });
