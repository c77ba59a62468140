import { z } from "zod";
import { list } from "../list-schema.ts";
import { procedure } from "../trpc.ts";
import { cardOf, planCardSchema } from "./plan-card.ts";
import { planStateSchema } from "./shown-plan-schema.ts";

export const listPlans = procedure
  .input(
    z.object({
      environment: z.string().nullable().default(null),
      states: z.array(planStateSchema).nullable().default(null),
      limit: z.number().int().min(1).max(500).default(200),
    }),
  )
  .output(list(planCardSchema))
  .query(async ({ ctx, input }) => (await ctx.operations.listPlans(input)).map(cardOf));
