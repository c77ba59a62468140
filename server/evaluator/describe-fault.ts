import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { Action } from "../core/plan/action.ts";
import type { Plan } from "../core/plan/plan.ts";
import type { Run, RunStage } from "../core/stage/run.ts";

/** A warehouse fault in the words of the run: which action of which object, and whether the plan still holds. */
export function describeFault(
  about: { readonly plan: Plan; readonly run: Run; readonly signal: { readonly aborted: boolean } },
  stage: RunStage,
  action: Action | null,
  error: WarehouseError,
): AppError {
  const { plan, run, signal } = about;
  const { fault } = error;
  const { environment, database } = plan.effects.target;
  if (fault.kind === "guard_failed") {
    return new AppError(problem("plan_stale", { plan: plan.id, moved: fault.details }));
  }
  if (fault.kind === "fence_lost") {
    return new AppError(problem("fence_lost", { scope: fault.details.join(", ") || environment }));
  }
  if (fault.kind === "cancelled" && signal.aborted) {
    return new AppError(problem("run_interrupted", { run: run.id, stage }));
  }
  if (fault.kind === "unreachable" || fault.kind === "connection_lost") {
    return new AppError(problem("engine_unreachable", { target: database, reason: fault.message }));
  }
  return new AppError(
    problem("action_failed", {
      action: action === null ? stage : action.kind.replaceAll("_", " "),
      target: action === null ? environment : `${action.target.schema}.${action.target.name}`,
      sqlstate: fault.sqlstate,
      message: fault.message,
    }),
  );
}
