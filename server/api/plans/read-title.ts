import { z } from "zod";
import { procedure } from "../trpc.ts";
import { planTitle } from "./plan-card.ts";

export const readTitle = procedure
  .input(z.object({ id: z.string().min(1) }))
  .output(z.string())
  .query(async ({ ctx, input }) => planTitle((await ctx.operations.showPlan(input.id)).view));
