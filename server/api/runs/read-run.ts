import { z } from "zod";
import { procedure } from "../trpc.ts";
import { runSchema } from "./run-schema.ts";

export const readRun = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(runSchema)
  .query(({ ctx, input }) => ctx.operations.readRun(input.id));
