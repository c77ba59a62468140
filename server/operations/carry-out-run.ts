import { AppError } from "../core/base/app-error.ts";
import { type Problem, problem } from "../core/base/problem.ts";
import type { Action } from "../core/plan/action.ts";
import type { Plan } from "../core/plan/plan.ts";
import { appliedLine } from "../core/review/applied-line.ts";
import { summarise } from "../core/review/summary-line.ts";
import { buildStages } from "../core/stage/build-stages.ts";
import type { Run } from "../core/stage/run.ts";
import { evaluate } from "../evaluator/evaluate.ts";
import type { Evaluation } from "../evaluator/evaluation.ts";
import { type Journal, openJournal } from "../evaluator/journal.ts";
import { recordIntendedVersions } from "../evaluator/record-versions.ts";
import type { Lease } from "../ports/state-store.ts";
import type { Warehouse } from "../ports/warehouse.ts";
import type { ApplyReport, ApplyRequest } from "./apply-plan.ts";
import { findMoved } from "./find-moved.ts";
import type { Services } from "./services.ts";
import { actionsDone } from "./settle-intent.ts";

export interface RunInHand {
  readonly request: ApplyRequest;
  readonly plan: Plan;
  readonly run: Run;
  readonly lease: Lease;
  readonly scopes: readonly string[];
  readonly warehouse: Warehouse;
  readonly resumed: boolean;
  /** An earlier attempt's promotion has committed. */
  readonly promoted: boolean;
}

/** From the lease to the end of the run, whatever end that is. Every end is on record, but for the ones nothing survives. */
export async function carryOutRun(services: Services, inHand: RunInHand): Promise<ApplyReport> {
  const { request, plan, run, lease } = inHand;
  const journal = openJournal(services.state, services.clock, run.id, lease, request.onEvent);
  const startedAt = Date.parse(services.clock.now());
  try {
    await attempt(services, inHand, journal);
  } catch (error) {
    await recordEnd(services, inHand, journal, error);
    throw error;
  }
  const line = appliedLine(summarise(plan.effects, "applicable"), Date.parse(services.clock.now()) - startedAt);
  await journal.write({ kind: "run_ended", state: "applied", problems: [], line });
  return { run: (await services.state.readRun(run.id)) ?? run, line };
}

async function attempt(services: Services, inHand: RunInHand, journal: Journal): Promise<void> {
  const { request, plan, run, lease, scopes, warehouse, resumed, promoted } = inHand;
  const { state, clock, ids, waiter } = services;
  const total = plan.effects.actions.length;
  if (resumed) await journal.write({ kind: "run_started", by: request.by, total, resumed });
  const done = new Set(await actionsDone(services, run.id));
  await setUpInternal(plan, warehouse, journal, clock, done);
  const fences = await warehouse.takeFences(scopes);
  if (!promoted) {
    const moved = await findMoved(services, plan, warehouse);
    if (moved.length > 0) throw new AppError(problem("plan_stale", { plan: plan.id, moved }));
  }
  const { signal, promotionPatienceMs } = request;
  const evaluation: Evaluation = {
    plan,
    run,
    lease,
    fences,
    state,
    warehouse,
    journal,
    clock,
    ids,
    waiter,
    signal,
    promotionPatienceMs,
  };
  if (!promoted) await recordIntendedVersions(evaluation);
  await evaluate(evaluation, buildStages(plan), { done, promoted });
}

/** Fences live in our schema, so it has to be there before the first of them is taken; its statements are safe to repeat. */
async function setUpInternal(
  plan: Plan,
  warehouse: Warehouse,
  journal: Journal,
  clock: Services["clock"],
  done: Set<string>,
): Promise<void> {
  const action = plan.effects.actions.find((each: Action) => each.kind === "set_up_internal");
  if (action === undefined || done.has(action.id)) return;
  await journal.write({ kind: "action_started", action: action.id });
  const startedAt = Date.parse(clock.now());
  await warehouse.setUpInternal(action.statements);
  await journal.write({
    kind: "action_done",
    action: action.id,
    ms: Date.parse(clock.now()) - startedAt,
    rows: null,
    found: false,
  });
  done.add(action.id);
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
    await services.state.setRun(run.id, { state, endedAt: at });
    const note = { by: request.by, at, reason: problems[0]?.code ?? "internal", moved: stale?.moved ?? [] };
    if (stale !== undefined) await services.state.movePlan(plan.id, ["applying"], "stale", note);
    else if (!interrupted) await services.state.movePlan(plan.id, ["applying"], "failed", note);
  } catch (second) {
    // State is out of reach as well. The run is taken up by its lease, which falls free with this process.
    services.log.warn("the end of a run could not be recorded", { run: run.id, reason: String(second) });
  }
}
