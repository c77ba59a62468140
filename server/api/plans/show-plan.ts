import { z } from "zod";
import { procedure } from "../trpc.ts";
import { shownPlanSchema } from "./shown-plan-schema.ts";

export const showPlan = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(shownPlanSchema)
  .query(({ ctx, input }) => ctx.operations.showPlan(input.id));
