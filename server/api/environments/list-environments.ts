import { list } from "../list-schema.ts";
import { procedure } from "../trpc.ts";
import { cardOf, environmentCardSchema } from "./environment-card.ts";

export const listEnvironments = procedure
  .output(list(environmentCardSchema))
  .query(async ({ ctx }) => (await ctx.operations.listEnvironments()).map(cardOf));
