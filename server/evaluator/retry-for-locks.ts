import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { RunStage } from "../core/stage/run.ts";
import type { TransactionReport } from "../ports/warehouse.ts";
import type { Evaluation } from "./evaluation.ts";
import { stopIfAsked } from "./stop-requested.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Tries a whole transaction again for as long as only somebody else's lock is in its way, saying whose. Waiting in the
 * lock's own queue instead would make every later reader wait behind us.
 */
export async function retryForLocks(
  evaluation: Evaluation,
  stage: RunStage,
  attemptOnce: () => Promise<TransactionReport>,
): Promise<TransactionReport> {
  const { clock, ids, waiter, journal, signal, patienceMs } = evaluation;
  const startedAt = Date.parse(clock.now());
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!(error instanceof WarehouseError) || !isLockTrouble(error)) throw error;
      const waitedMs = Date.parse(clock.now()) - startedAt;
      const blockers = error.fault.details;
      if (waitedMs >= patienceMs) {
        if (stage !== "promotion") throw heldUp(error);
        throw new AppError(problem("promotion_blocked", { waitedMs, blockers }));
      }
      await journal.write({ kind: "promotion_waiting", attempt, waitedMs, blockers });
      await waiter.wait(Math.min(pause(attempt, ids.jitter()), patienceMs), signal);
      await stopIfAsked(evaluation, stage);
    }
  }
}

/** 55P03, 40P01 and 40001 mean "somebody else was there first", nothing more; everything else won't get better by waiting. */
function isLockTrouble(error: WarehouseError): boolean {
  return error.fault.kind === "lock_timeout" || error.fault.kind === "deadlock";
}

function heldUp(error: WarehouseError): WarehouseError {
  const { fault } = error;
  const by = fault.details.length === 0 ? "" : `; held by ${fault.details.join("; ")}`;
  return new WarehouseError({ ...fault, message: `${fault.message}${by}` }, error);
}

function pause(attempt: number, jitter: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10));
  return Math.round(longest * (0.5 + jitter / 2));
}
