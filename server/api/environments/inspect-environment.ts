import { z } from "zod";
import { list } from "../list-schema.ts";
import { procedure } from "../trpc.ts";
import { cardOf, environmentCardSchema } from "./environment-card.ts";

const relation = z.object({ schema: z.string(), name: z.string() });
const objectName = z.object({ schema: z.string(), name: z.string(), type: z.string() });

const inspectedObject = z.object({
  model: z.string(),
  kind: z.string(),
  description: z.string().nullable(),
  owner: z.string().nullable(),
  version: z.string().nullable(),
  relation: relation.nullable(),
  view: relation.nullable(),
  columns: list(z.object({ name: z.string(), type: z.string() })),
  served: list(z.string()),
  found: z.enum(["present", "missing", "none"]),
  missing: list(relation),
  estimatedRows: z.number().nullable(),
  bytes: z.number().nullable(),
  dependents: list(
    z.object({
      object: objectName,
      owner: z.string(),
      uses: list(z.object({ object: objectName, columns: z.union([list(z.string()), z.literal("unknown")]) })),
    }),
  ),
});

export const inspectEnvironment = procedure
  .input(z.object({ name: z.string().min(1) }))
  .output(z.object({ environment: environmentCardSchema, objects: list(inspectedObject) }))
  .query(async ({ ctx, input }) => {
    const { environment, objects } = await ctx.operations.inspectEnvironment(input.name);
    return {
      environment: cardOf(environment),
      objects: objects.map(({ promoted, ...facts }) => ({ ...promoted, ...facts })),
    };
  });
