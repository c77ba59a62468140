import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { Decision } from "../core/review/review.ts";
import type { PlanRecord } from "../ports/state-store.ts";
import { findPlan } from "./find-plan.ts";
import type { Services } from "./services.ts";

export interface DecideRequest {
  readonly planId: string;
  /** What the person saw. A decision holds for exactly this digest; a unique beginning of 8 digits or more will do. */
  readonly digest: string;
  readonly verdict: "approve" | "reject";
  readonly reason: string | null;
  readonly by: string;
  readonly how: Decision["how"];
}

const SHORTEST_DIGEST = 8;

/**
 * Records one decision on an open plan, by one conditional write: of twenty that arrive together one counts, and the
 * others are told who was first.
 * @throws AppError `plan_unknown`, `plan_blocked`, `digest_differs`, `plan_not_open`.
 */
export async function decidePlan(
  services: Pick<Services, "state" | "clock">,
  request: DecideRequest,
): Promise<Decision> {
  const record = await findPlan(services, request.planId);
  const { plan } = record;
  if (request.digest.length < SHORTEST_DIGEST || !plan.digest.startsWith(request.digest)) {
    throw new AppError(problem("digest_differs", { plan: plan.id, given: request.digest, stored: plan.digest }));
  }
  if (request.verdict === "reject" && (request.reason ?? "").trim() === "") {
    throw new AppError(problem("reason_missing", { plan: plan.id }));
  }
  if (record.state !== "open") throw notOpen(record);
  if (request.verdict === "approve" && plan.effects.blockers.length > 0) {
    const reasons = plan.effects.blockers.map((blocker) => blocker.code);
    throw new AppError(problem("plan_blocked", { plan: plan.id, reasons }));
  }
  const decision: Decision = {
    planId: plan.id,
    digest: plan.digest,
    units: plan.effects.units.map((unit) => unit.digest),
    verdict: request.verdict,
    by: request.by,
    at: services.clock.now(),
    reason: request.reason,
    how: request.how,
  };
  const { taken, standing } = await services.state.decide(decision);
  if (taken) return decision;
  const state = standing.verdict === "approve" ? "approved" : "rejected";
  throw new AppError(problem("plan_not_open", { plan: plan.id, state, by: standing.by, at: standing.at }));
}

function notOpen(record: PlanRecord): AppError {
  const { plan, state, stateBy, stateAt } = record;
  return new AppError(problem("plan_not_open", { plan: plan.id, state, by: stateBy, at: stateAt }));
}
