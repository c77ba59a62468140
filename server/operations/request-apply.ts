import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { Job } from "../ports/state-store.ts";
import { findPlan } from "./find-plan.ts";
import type { Services } from "./services.ts";

/**
 * Hands an approved plan (or one whose run was interrupted) to the worker. Asking twice gives the first job again.
 * @throws AppError `plan_unknown`, `approval_missing`, `plan_not_open`.
 */
export async function requestApply(
  services: Pick<Services, "state" | "clock" | "ids">,
  request: { readonly planId: string; readonly by: string },
): Promise<Job> {
  const { plan, state, stateBy, stateAt } = await findPlan(services, request.planId);
  if (state === "open")
    throw new AppError(problem("approval_missing", { plan: plan.id, missing: ["nobody has approved it"] }));
  if (state !== "approved" && state !== "applying" && state !== "failed") {
    throw new AppError(problem("plan_not_open", { plan: plan.id, state, by: stateBy, at: stateAt }));
  }
  const { job } = await services.state.enqueueJob({
    id: services.ids.next("job"),
    kind: "apply",
    planId: plan.id,
    requestedBy: request.by,
    at: services.clock.now(),
  });
  return job;
}
