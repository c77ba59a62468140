import { z } from "zod";
import { procedure } from "../trpc.ts";

export const stopRun = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(z.void())
  .mutation(({ ctx, input }) => ctx.operations.stopRun({ run: input.id, by: ctx.server.user }));
