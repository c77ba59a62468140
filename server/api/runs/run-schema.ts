import { z } from "zod";
import type { Run, RunEvent } from "../../core/stage/run.ts";
import { list } from "../list-schema.ts";
import { problemViewSchema, viewProblem } from "../problem-view.ts";

const stage = z.enum([
  "preflight",
  "schemas",
  "create",
  "fill",
  "audit",
  "promotion",
  "fill_after",
  "after",
  "verify",
  "finalise",
]);

export const runSchema = z.object({
  id: z.string(),
  planId: z.string(),
  project: z.string(),
  environment: z.string(),
  state: z.enum(["running", "stopping", "applied", "failed", "interrupted", "discarded"]),
  startedBy: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  stage: stage.nullable(),
  done: z.number(),
  total: z.number(),
}) satisfies z.ZodType<Run>;

const happening = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("run_started"), by: z.string(), total: z.number(), resumed: z.boolean() }),
  z.object({ kind: z.literal("stage_started"), stage, actions: z.number() }),
  z.object({ kind: z.literal("stage_done"), stage }),
  z.object({ kind: z.literal("action_started"), action: z.string() }),
  z.object({
    kind: z.literal("action_done"),
    action: z.string(),
    ms: z.number(),
    rows: z.number().nullable(),
    found: z.boolean(),
  }),
  z.object({ kind: z.literal("action_failed"), action: z.string(), problem: problemViewSchema }),
  z.object({
    kind: z.literal("promotion_waiting"),
    attempt: z.number(),
    waitedMs: z.number(),
    blockers: list(z.string()),
  }),
  z.object({ kind: z.literal("promoted"), promotion: z.number(), ms: z.number(), found: z.boolean() }),
  z.object({ kind: z.literal("verified"), relations: z.number() }),
  z.object({ kind: z.literal("finalised") }),
  z.object({ kind: z.literal("stop_requested"), by: z.string() }),
  z.object({
    kind: z.literal("run_ended"),
    state: z.enum(["applied", "failed", "interrupted"]),
    problems: list(problemViewSchema),
    line: z.string(),
  }),
]);

/** A journal entry with its problems in words. */
export const runEventSchema = z.object({ run: z.string(), seq: z.number(), at: z.string(), event: happening });
export type RunEventView = z.infer<typeof runEventSchema>;

export function viewEvent({ run, seq, at, event }: RunEvent): RunEventView {
  if (event.kind === "action_failed") return { run, seq, at, event: { ...event, problem: viewProblem(event.problem) } };
  if (event.kind === "run_ended")
    return { run, seq, at, event: { ...event, problems: event.problems.map(viewProblem) } };
  return { run, seq, at, event };
}
