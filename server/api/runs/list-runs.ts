import { z } from "zod";
import { list } from "../list-schema.ts";
import { procedure } from "../trpc.ts";
import { runSchema } from "./run-schema.ts";

export const listRuns = procedure
  .input(
    z.object({
      planId: z.string().nullable().default(null),
      environment: z.string().nullable().default(null),
      limit: z.number().int().min(1).max(500).default(100),
    }),
  )
  .output(list(runSchema))
  .query(({ ctx, input }) => ctx.operations.listRuns(input));
