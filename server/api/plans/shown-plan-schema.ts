import { z } from "zod";
import { list } from "../list-schema.ts";
import { runSchema } from "../runs/run-schema.ts";
import { planViewSchema } from "./plan-view-schema.ts";

export const planStateSchema = z.enum([
  "open",
  "approved",
  "applying",
  "applied",
  "failed",
  "stale",
  "superseded",
  "expired",
  "rejected",
  "discarded",
]);

export const decisionSchema = z.object({
  planId: z.string(),
  digest: z.string(),
  units: list(z.string()),
  verdict: z.enum(["approve", "reject"]),
  by: z.string(),
  at: z.string(),
  reason: z.string().nullable(),
  how: z.enum(["review", "auto-apply"]),
});

export const shownPlanSchema = z.object({
  /** What somebody edited, in words: plans have no title of their own. */
  title: z.string(),
  view: planViewSchema,
  state: planStateSchema,
  stateBy: z.string().nullable(),
  stateAt: z.string(),
  stateReason: z.string().nullable(),
  moved: list(z.string()),
  supersededBy: z.string().nullable(),
  decisions: list(decisionSchema),
  runs: list(runSchema),
});
