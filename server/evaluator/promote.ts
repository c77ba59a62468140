import { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { StageTransaction } from "../core/stage/stage.ts";
import { askAgainIfLost } from "./ask-again-if-lost.ts";
import { describeFault } from "./describe-fault.ts";
import type { Evaluation } from "./evaluation.ts";
import { retryForLocks } from "./retry-for-locks.ts";
import { makeTransaction } from "./run-transaction.ts";
import { stopIfAsked } from "./stop-requested.ts";

/**
 * The one transaction after which readers see the new environment. It asks for locks only briefly and starts over as
 * a whole when it doesn't get them, so that no reader ever queues behind it for longer than the lock timeout.
 * The intent written before and the marker written inside tell a later process what is true, whenever this one dies.
 */
export async function promote(evaluation: Evaluation, stage: StageTransaction): Promise<void> {
  const { plan, run, lease, state, warehouse, journal, clock, progress } = evaluation;
  const { project, environment, promotion } = plan.effects.target;
  await stopIfAsked(evaluation, "promotion");
  const next = promotion + 1;
  await state.recordIntent(run.id, lease, next, plan.digest);
  const marker = { project, environment, promotion: next, digest: plan.digest };
  const transaction = { ...(await makeTransaction(evaluation, "promotion", stage)), environmentMarker: marker };
  const startedAt = Date.parse(clock.now());
  const attemptOnce = () => askAgainIfLost(() => warehouse.runTransaction(transaction));
  const report = await retryForLocks(evaluation, "promotion", attemptOnce).catch((error: unknown) => {
    throw error instanceof WarehouseError ? describeFault(evaluation, "promotion", null, error) : error;
  });
  const ms = Date.parse(clock.now()) - startedAt;
  for (const action of stage.actions) {
    await journal.write({ kind: "action_done", action: action.id, ms, rows: null, found: report.found });
    progress.done.add(action.id);
  }
  await journal.write({ kind: "promoted", promotion: next, ms, found: report.found });
}
