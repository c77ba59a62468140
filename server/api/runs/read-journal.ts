import { z } from "zod";
import { list } from "../list-schema.ts";
import { procedure } from "../trpc.ts";
import { runEventSchema, viewEvent } from "./run-schema.ts";

/** The journal so far, for the first paint; `follow` goes on from its last entry. */
export const readJournal = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(list(runEventSchema))
  .query(async ({ ctx, input }) => (await ctx.operations.readJournal(input.id)).map(viewEvent));
