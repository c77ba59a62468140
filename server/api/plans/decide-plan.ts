import { z } from "zod";
import { procedure } from "../trpc.ts";
import { decisionSchema } from "./shown-plan-schema.ts";

/** Approve or reject exactly the digest that was on the screen; the person is the one the server runs as. */
export const decidePlan = procedure
  .input(
    z.object({
      planId: z.string().min(1),
      digest: z.string().min(8),
      verdict: z.enum(["approve", "reject"]),
      reason: z.string().max(4_000).nullable(),
    }),
  )
  .output(decisionSchema)
  .mutation(({ ctx, input }) => ctx.operations.decidePlan({ ...input, by: ctx.server.user }));
