import { z } from "zod";
import type { Job } from "../../ports/state-store.ts";
import { list } from "../list-schema.ts";
import { problemViewSchema, viewProblem } from "../problem-view.ts";

export const jobSchema = z.object({
  id: z.string(),
  planId: z.string(),
  requestedBy: z.string(),
  at: z.string(),
  state: z.enum(["waiting", "working", "done", "failed"]),
  run: z.string().nullable(),
  problems: list(problemViewSchema),
});

export function viewJob({ id, planId, requestedBy, at, state, run, problems }: Job): z.infer<typeof jobSchema> {
  return { id, planId, requestedBy, at, state, run, problems: problems.map(viewProblem) };
}
