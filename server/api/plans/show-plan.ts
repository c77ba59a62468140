import { z } from "zod";
import { procedure } from "../trpc.ts";
import { planTitle } from "./plan-card.ts";
import { shownPlanSchema } from "./shown-plan-schema.ts";

export const showPlan = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(shownPlanSchema)
  .query(async ({ ctx, input }) => {
    const shown = await ctx.operations.showPlan(input.id);
    return { ...shown, title: planTitle(shown.view) };
  });
