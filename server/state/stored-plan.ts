import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { PLAN_FORMAT, type Plan, type PlanContext, type PlanEffects } from "../core/plan/plan.ts";
import { expectMembers, fromStored, toStored } from "./stored-json.ts";

export interface StoredPlan {
  readonly id: string;
  readonly digest: string;
  readonly format: number;
  readonly effects: string;
  readonly context: string;
}

export function writePlan(plan: Plan): Pick<StoredPlan, "format" | "effects" | "context"> {
  return { format: plan.format, effects: toStored(plan.effects), context: toStored(plan.context) };
}

/** @throws AppError `plan_format_unknown`, `state_unreadable`. */
export function readPlan(row: StoredPlan): Plan {
  if (row.format !== PLAN_FORMAT) throw new AppError(problem("plan_format_unknown", { format: String(row.format) }));
  const what = `Plan ${row.id}`;
  const effects = fromStored(what, row.effects, (value) => expectMembers<PlanEffects>(value, ["target", "actions", "units", "promotion"]));
  const context = fromStored(what, row.context, (value) => expectMembers<PlanContext>(value, ["now", "author", "folder"]));
  return { id: row.id, digest: row.digest, format: row.format, effects, context };
}
