import { z } from "zod";
import type { Environment } from "../../core/environment/environment.ts";

export const environmentCardSchema = z.object({
  name: z.string(),
  promotion: z.number(),
  planId: z.string().nullable(),
  promotedAt: z.string().nullable(),
  models: z.number(),
});

export function cardOf({
  name,
  promotion,
  planId,
  promotedAt,
  models,
}: Environment): z.infer<typeof environmentCardSchema> {
  return { name, promotion, planId, promotedAt, models: models.length };
}
