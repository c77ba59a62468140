import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { problemSentence } from "../core/base/problem-sentence.ts";
import type { Plan } from "../core/plan/plan.ts";
import { decodePlan } from "../core/plan/plan-codec.ts";
import { toStored } from "./stored-json.ts";

/** Effects and context apart, as stored: canonical JSON texts. */
export interface StoredPlan {
  readonly id: string;
  readonly digest: string;
  readonly format: number;
  readonly effects: string;
  readonly context: string;
}

export function writePlan(plan: Plan): StoredPlan {
  const { id, digest, format } = plan;
  return { id, digest, format, effects: toStored(plan.effects), context: toStored(plan.context) };
}

/** Read by the codec, which hashes the effects again. @throws AppError `plan_format_unknown`, `state_unreadable`. */
export function readPlan(row: StoredPlan): Plan {
  const { id, digest, format, effects, context } = row;
  const head = `"id":${JSON.stringify(id)},"digest":${JSON.stringify(digest)},"format":${format}`;
  const decoded = decodePlan(`{${head},"effects":${effects},"context":${context}}`);
  if (decoded.ok) return decoded.value;
  const [first] = decoded.problems;
  if (first?.code === "plan_format_unknown") throw new AppError(first);
  const reason = first?.code === "plan_unreadable" ? first.reason : decoded.problems.map(problemSentence).join("; ");
  throw new AppError(problem("state_unreadable", { what: `Plan ${id}`, reason }));
}
