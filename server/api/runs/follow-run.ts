import { tracked } from "@trpc/server";
import { z } from "zod";
import { procedure } from "../trpc.ts";
import { viewEvent } from "./run-schema.ts";

/** Every event of a run, those of the past first. A lost connection goes on after the last id that arrived. */
export const followRun = procedure
  .input(z.object({ id: z.string().min(1), lastEventId: z.string().nullish() }))
  .subscription(async function* ({ ctx, input, signal }) {
    const after = Number.parseInt(input.lastEventId ?? "0", 10);
    const request = { run: input.id, after: Number.isNaN(after) ? 0 : after, signal: signal ?? { aborted: false } };
    for await (const event of ctx.operations.followRun(request)) {
      yield tracked(String(event.seq), viewEvent(event));
    }
  });
