import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { Plan } from "../core/plan/plan.ts";
import { leaseScopes } from "../core/stage/lease-scopes.ts";
import type { Run, RunEvent } from "../core/stage/run.ts";
import type { PlanRecord } from "../ports/state-store.ts";
import type { Warehouse } from "../ports/warehouse.ts";
import { cancelOnStop } from "./cancel-on-stop.ts";
import { carryOutRun } from "./carry-out-run.ts";
import { findPlan } from "./find-plan.ts";
import type { ProjectPlace, Services } from "./services.ts";
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
  const warehouse = await openWarehouseOf(services, request.place, plan);
  const stop = cancelOnStop(request.signal, warehouse, services.waiter);
  const onEvent = (event: RunEvent): void => {
    stop.watch(event);
    request.onEvent(event);
  };
  try {
    return await withLease(services, { ...request, onEvent }, plan, warehouse);
  } finally {
    stop.end();
    await warehouse.close();
  }
}

/** Through the gateway that the plan was made for, whichever is the default by now. */
async function openWarehouseOf(services: Services, place: ProjectPlace, plan: Plan): Promise<Warehouse> {
  const { gateway, database } = plan.effects.target;
  const settings = unwrap(await services.projects.readSettings({ ...place, gateway: gateway === "" ? null : gateway }));
  try {
    return await services.warehouse(settings.gateway);
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error;
    throw new AppError(problem("engine_unreachable", { target: database, reason: error.fault.message }));
  }
}

async function withLease(
  services: Services,
  request: ApplyRequest,
  plan: Plan,
  warehouse: Warehouse,
): Promise<ApplyReport> {
  const { state, ids } = services;
  const runId = (await lastRun(services, plan))?.id ?? ids.next("run");
  const scopes = leaseScopes(plan);
  const outcome = await state.acquireLease({ scopes, holder: `${request.by} applying plan ${plan.id}`, run: runId });
  if (!outcome.ok) {
    const { environment } = plan.effects.target;
    throw new AppError(problem("environment_held", { environment, by: outcome.holder, since: outcome.since }));
  }
  const { lease } = outcome;
  try {
    // Whoever held the lease until now may have gone on with this very plan, or ended it.
    refuseUnlessApplicable(await findPlan(services, plan.id), request.resume);
    const earlier = await lastRun(services, plan);
    const run =
      earlier === undefined
        ? await startRun(services, request, plan, runId)
        : await reopenRun(services, request, earlier);
    const resumed = earlier !== undefined;
    return await carryOutRun(services, { request, plan, run, lease, scopes, warehouse, resumed });
  } finally {
    await state.releaseLease(lease).catch(() => undefined);
  }
}

async function lastRun(services: Services, plan: Plan): Promise<Run | undefined> {
  return (await services.state.listRuns({ planId: plan.id, environment: null, limit: 1 }))[0];
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
