import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { Plan } from "../core/plan/plan.ts";
import { leaseScopes } from "../core/stage/lease-scopes.ts";
import type { Run, RunEvent } from "../core/stage/run.ts";
import type { PlanRecord } from "../ports/state-store.ts";
import type { Warehouse } from "../ports/warehouse.ts";
import { carryOutRun } from "./carry-out-run.ts";
import { findPlan } from "./find-plan.ts";
import type { ProjectPlace, Services } from "./services.ts";
import { findPromoted, settleIntent } from "./settle-intent.ts";
import { unwrap } from "./unwrap.ts";

export interface ApplyRequest {
  readonly planId: string;
  /** Only its configuration is read, for the connection: what is applied stands in the plan. */
  readonly place: ProjectPlace;
  readonly by: string;
  /** Go on with a run that ended with an error. One that died or was interrupted is gone on with in any case. */
  readonly resume: boolean;
  readonly onEvent: (event: RunEvent) => void;
  readonly signal: StopSignal;
  readonly promotionPatienceMs: number;
}

export interface StopSignal {
  readonly aborted: boolean;
  /** Called once when it fires, so that the statement under way can be cancelled. */
  readonly onAbort: (listener: () => void) => void;
}

export interface ApplyReport {
  readonly run: Run;
  readonly line: string;
}

/**
 * Carries out an approved plan, or goes on with a run of it.
 * @throws AppError with why nothing was done (not approved, held, stale) or why the run ended before it was done.
 */
export async function applyPlan(services: Services, request: ApplyRequest): Promise<ApplyReport> {
  const record = await findPlan(services, request.planId);
  refuseUnlessApplicable(record, request.resume);
  const { plan } = record;
  const settings = unwrap(await services.projects.readSettings(request.place));
  const warehouse = await services.warehouse(settings.gateway);
  request.signal.onAbort(() => void warehouse.cancel().catch(() => undefined));
  try {
    return await withLease(services, request, plan, warehouse);
  } finally {
    await warehouse.close();
  }
}

async function withLease(
  services: Services,
  request: ApplyRequest,
  plan: Plan,
  warehouse: Warehouse,
): Promise<ApplyReport> {
  const { state } = services;
  const earlier = (await state.listRuns({ planId: plan.id, environment: null, limit: 1 }))[0];
  const runId = earlier?.id ?? services.ids.next("run");
  const scopes = leaseScopes(plan);
  const outcome = await state.acquireLease({ scopes, holder: `${request.by} applying plan ${plan.id}`, run: runId });
  if (!outcome.ok) {
    const { environment } = plan.effects.target;
    throw new AppError(problem("environment_held", { environment, by: outcome.holder, since: outcome.since }));
  }
  const { lease } = outcome;
  try {
    const promoted = await findPromoted(services, plan.effects.target, warehouse);
    if (promoted !== null && promoted.planId !== plan.id) await settleIntent(services, promoted, lease);
    await closeAbandonedRuns(services, plan, runId);
    const run =
      earlier === undefined
        ? await startRun(services, request, plan, runId)
        : await reopenRun(services, request, earlier);
    return await carryOutRun(services, {
      request,
      plan,
      run,
      lease,
      scopes,
      warehouse,
      resumed: earlier !== undefined,
      promoted: promoted?.planId === plan.id,
    });
  } finally {
    await state.releaseLease(lease).catch(() => undefined);
  }
}

function refuseUnlessApplicable(record: PlanRecord, resume: boolean): void {
  const { plan, state, stateBy, stateAt } = record;
  if (state === "open") {
    const missing =
      plan.effects.blockers.length > 0 ? ["it is blocked and can't be approved"] : ["nobody has approved it"];
    throw new AppError(problem("approval_missing", { plan: plan.id, missing }));
  }
  if (state === "approved" || state === "applying" || (state === "failed" && resume)) return;
  if (state === "failed") throw new AppError(problem("resume_needed", { plan: plan.id }));
  if (state === "stale") throw new AppError(problem("plan_stale", { plan: plan.id, moved: record.moved }));
  throw new AppError(problem("plan_not_open", { plan: plan.id, state, by: stateBy, at: stateAt }));
}

async function startRun(services: Services, request: ApplyRequest, plan: Plan, id: string): Promise<Run> {
  const run = await services.state.startRun({ id, plan, by: request.by, at: services.clock.now() });
  if (run !== null) return run;
  const { state, stateBy, stateAt } = await findPlan(services, plan.id);
  throw new AppError(problem("plan_not_open", { plan: plan.id, state, by: stateBy, at: stateAt }));
}

async function reopenRun(services: Services, request: ApplyRequest, run: Run): Promise<Run> {
  const note = { by: request.by, at: services.clock.now(), reason: "resumed", moved: [] };
  await services.state.movePlan(run.planId, ["failed"], "applying", note);
  await services.state.setRun(run.id, { state: "running", endedAt: null });
  return { ...run, state: "running", endedAt: null };
}

/** We hold the environment, so whatever else claims to be applying in it is dead; its versions are on record. */
async function closeAbandonedRuns(services: Services, plan: Plan, ownRun: string): Promise<void> {
  const { state, clock } = services;
  const { project, environment } = plan.effects.target;
  const applying = await state.listPlans({ project, environment, states: ["applying"], limit: 100 });
  for (const other of applying) {
    if (other.plan.id === plan.id) continue;
    const at = clock.now();
    const reason = `its run died; plan ${plan.id} came after it`;
    await state.movePlan(other.plan.id, ["applying"], "failed", { by: "weir", at, reason, moved: [] });
    for (const run of await state.listRuns({ planId: other.plan.id, environment: null, limit: 1 })) {
      if (run.id !== ownRun && run.endedAt === null) await state.setRun(run.id, { state: "interrupted", endedAt: at });
    }
  }
}
