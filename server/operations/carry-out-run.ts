import { AppError } from "../core/base/app-error.ts";
import { type Problem, problem } from "../core/base/problem.ts";
import { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { Action } from "../core/plan/action.ts";
import type { Plan } from "../core/plan/plan.ts";
import { buildStages } from "../core/stage/build-stages.ts";
import type { Run } from "../core/stage/run.ts";
import { describeFault } from "../evaluator/describe-fault.ts";
import { evaluate } from "../evaluator/evaluate.ts";
import type { Evaluation } from "../evaluator/evaluation.ts";
import { type Journal, openJournal } from "../evaluator/journal.ts";
import { type Progress, progressOf } from "../evaluator/progress.ts";
import { recordIntendedVersions } from "../evaluator/record-versions.ts";
import { stopIfAsked } from "../evaluator/stop-requested.ts";
import type { Lease } from "../ports/state-store.ts";
import type { Warehouse } from "../ports/warehouse.ts";
import type { ApplyReport, ApplyRequest } from "./apply-plan.ts";
import { closeAbandonedRuns } from "./close-abandoned-runs.ts";
import { findMoved } from "./find-moved.ts";
import type { Services } from "./services.ts";
import { findPromoted, readHappenings, settleIntent } from "./settle-intent.ts";

export interface RunInHand {
  readonly request: ApplyRequest;
  readonly plan: Plan;
  readonly run: Run;
  readonly lease: Lease;
  readonly scopes: readonly string[];
  readonly warehouse: Warehouse;
  readonly resumed: boolean;
}

/** From the lease to the end of the run, whatever end that is. Every end is on record, but for the ones nothing survives. */
export async function carryOutRun(services: Services, inHand: RunInHand): Promise<ApplyReport> {
  const { request, plan, run, lease } = inHand;
  const journal = openJournal(services.state, services.clock, run.id, lease, request.onEvent);
  try {
    const line = await attempt(services, inHand, journal);
    return { run: (await services.state.readRun(run.id)) ?? run, line };
  } catch (error) {
    const about = { plan, run, signal: request.signal };
    const described = error instanceof WarehouseError ? describeFault(about, "preflight", null, error) : error;
    await recordEnd(services, inHand, journal, described);
    throw described;
  }
}

async function attempt(services: Services, inHand: RunInHand, journal: Journal): Promise<string> {
  const { request, plan, run, lease, scopes, warehouse, resumed } = inHand;
  const { state, clock, ids, waiter } = services;
  const startedAt = Date.parse(clock.now());
  const total = plan.effects.actions.length;
  if (resumed) await journal.write({ kind: "run_started", by: request.by, total, resumed });
  await setUpInternal(inHand, journal, services);
  // Only from here on can nothing of an earlier holder be committed any more, so that what is read now stays true.
  const fences = await warehouse.takeFences(scopes);
  const promoted = await settleEarlier(services, inHand);
  await closeAbandonedRuns(services, plan, lease);
  const markers = await warehouse.readMarkers(run.id);
  const progress = progressOf(plan, await readHappenings(services, run.id), markers, promoted);
  const { signal, promotionPatienceMs: patienceMs } = request;
  const within = { plan, run, lease, fences, state, warehouse, journal, progress, clock, ids, waiter };
  const evaluation: Evaluation = { ...within, signal, patienceMs, startedAt };
  await stopIfAsked(evaluation, "preflight");
  await recordFound(journal, progress);
  if (!promoted) {
    const moved = await findMoved(services, plan, warehouse, progress.done);
    if (moved.length > 0) throw new AppError(problem("plan_stale", { plan: plan.id, moved }));
    await recordIntendedVersions(evaluation);
  }
  return evaluate(evaluation, buildStages(plan));
}

/** Fences live in our schema, so it has to be there before the first of them is taken; its statements are safe to repeat. */
async function setUpInternal({ plan, warehouse, run }: RunInHand, journal: Journal, services: Services): Promise<void> {
  const { clock } = services;
  const action = plan.effects.actions.find((each: Action) => each.kind === "set_up_internal");
  if (action === undefined) return;
  const earlier = await readHappenings(services, run.id);
  if (earlier.some((event) => event.kind === "action_done" && event.action === action.id)) return;
  await journal.write({ kind: "action_started", action: action.id });
  const startedAt = Date.parse(clock.now());
  await warehouse.setUpInternal(action.statements);
  const ms = Date.parse(clock.now()) - startedAt;
  await journal.write({ kind: "action_done", action: action.id, ms, rows: null, found: false });
}

/** @returns whether it is this run's own promotion that an earlier attempt has committed. Another run's is put on record. */
async function settleEarlier(services: Services, { plan, lease, warehouse }: RunInHand): Promise<boolean> {
  const promoted = await findPromoted(services, plan.effects.target, warehouse);
  if (promoted === null) return false;
  if (promoted.planId === plan.id) return true;
  await settleIntent(services, promoted, lease, warehouse);
  return false;
}

/** Committed by an earlier attempt that died before it could say so. */
async function recordFound(journal: Journal, { unrecorded }: Progress): Promise<void> {
  for (const action of unrecorded) await journal.write({ kind: "action_done", action, ms: 0, rows: null, found: true });
}

async function recordEnd(services: Services, inHand: RunInHand, journal: Journal, error: unknown): Promise<void> {
  const { plan, run, request } = inHand;
  const problems: readonly Problem[] = error instanceof AppError ? error.problems : [];
  // Whoever lost the fence or the lease may not write any more: the run belongs to somebody else now.
  if (problems.some((each) => each.code === "fence_lost")) return;
  const interrupted = problems.some((each) => each.code === "run_interrupted");
  const stale = problems.find((each) => each.code === "plan_stale");
  const state = interrupted ? "interrupted" : "failed";
  const at = services.clock.now();
  const line = interrupted
    ? "Stopped at a safe point; everything done so far is recorded."
    : "Failed; everything done so far is recorded.";
  try {
    await journal.write({ kind: "run_ended", state, problems, line });
    const note = { by: request.by, at, reason: problems[0]?.code ?? "internal_error", moved: stale?.moved ?? [] };
    if (stale !== undefined) await services.state.movePlan(plan.id, ["applying"], "stale", note);
    else if (!interrupted) await services.state.movePlan(plan.id, ["applying"], "failed", note);
    // Last: whoever follows the run takes this for its end, and looks at the plan then.
    await services.state.setRun(run.id, { state, endedAt: at });
  } catch (second) {
    // State is out of reach as well. The run is taken up by its lease, which falls free with this process.
    services.log.warn("the end of a run could not be recorded", { run: run.id, reason: String(second) });
  }
}
