import { z } from "zod";
import { procedure } from "../trpc.ts";
import { jobSchema, viewJob } from "./job-schema.ts";

export const readJob = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(jobSchema.nullable())
  .query(async ({ ctx, input }) => {
    const job = await ctx.operations.readJob(input.id);
    return job === null ? null : viewJob(job);
  });
