import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { StageTransaction } from "../core/stage/stage.ts";
import type { TransactionReport } from "../ports/warehouse.ts";
import type { Evaluation } from "./evaluation.ts";
import { faultOf, makeTransaction } from "./run-transaction.ts";
import { stopIfAsked } from "./stop-requested.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * The one transaction after which readers see the new environment. It asks for locks only briefly and starts over as
 * a whole when it doesn't get them, so that no reader ever queues behind it for longer than the lock timeout.
 * The intent written before and the marker written inside tell a later process what is true, whenever this one dies.
 */
export async function promote(evaluation: Evaluation, stage: StageTransaction): Promise<void> {
  const { plan, run, lease, state, warehouse, journal, clock } = evaluation;
  const { project, environment, promotion } = plan.effects.target;
  const next = promotion + 1;
  await state.recordIntent(run.id, lease, next, plan.digest);
  const marker = { project, environment, promotion: next, digest: plan.digest };
  const transaction = { ...(await makeTransaction(evaluation, "promotion", stage)), environmentMarker: marker };
  const startedAt = Date.parse(clock.now());
  const report = await retryForLocks(evaluation, startedAt, () => warehouse.runTransaction(transaction));
  const ms = Date.parse(clock.now()) - startedAt;
  for (const action of stage.actions) {
    await journal.write({ kind: "action_done", action: action.id, ms, rows: null, found: report.found });
  }
  await journal.write({ kind: "promoted", promotion: next, ms, found: report.found });
}

async function retryForLocks(
  evaluation: Evaluation,
  startedAt: number,
  attemptOnce: () => Promise<TransactionReport>,
): Promise<TransactionReport> {
  const { clock, ids, waiter, journal, signal, promotionPatienceMs } = evaluation;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!(error instanceof WarehouseError)) throw error;
      if (!isLockTrouble(error)) throw faultOf(evaluation, "promotion", null, error);
      const waitedMs = Date.parse(clock.now()) - startedAt;
      const blockers = error.fault.details;
      if (waitedMs >= promotionPatienceMs) throw new AppError(problem("promotion_blocked", { waitedMs, blockers }));
      await journal.write({ kind: "promotion_waiting", attempt, waitedMs, blockers });
      await waiter.wait(pause(attempt, ids.jitter()), signal);
      await stopIfAsked(evaluation, "promotion");
    }
  }
}

/** 55P03, 40P01 and 40001 mean "somebody else was there first", nothing more; everything else won't get better by waiting. */
function isLockTrouble(error: WarehouseError): boolean {
  return error.fault.kind === "lock_timeout" || error.fault.kind === "deadlock";
}

function pause(attempt: number, jitter: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10));
  return Math.round(longest * (0.5 + jitter / 2));
}
