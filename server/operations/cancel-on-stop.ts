import type { RunEvent } from "../core/stage/run.ts";
import type { Waiter } from "../ports/ambient.ts";
import type { Warehouse } from "../ports/warehouse.ts";
import type { StopSignal } from "./apply-plan.ts";

const ASK_AGAIN_MS = 200;

export interface StopWatch {
  /** Sees the run's events, and so knows what is under way. */
  readonly watch: (event: RunEvent) => void;
  readonly end: () => void;
}

/**
 * From the moment that the signal fires until the run has ended, whatever the warehouse does for us is cancelled, again
 * and again: a statement can begin just after the first cancel looked. What only makes the record of a promotion
 * complete is let be: it takes moments, and cut short it would leave more to be done.
 */
export function cancelOnStop(signal: StopSignal, warehouse: Pick<Warehouse, "cancel">, waiter: Waiter): StopWatch {
  let ended = false;
  let closing = false;
  const cancel = async (): Promise<void> => {
    while (!ended) {
      if (!closing) await warehouse.cancel().catch(() => undefined);
      await waiter.wait(ASK_AGAIN_MS, null);
    }
  };
  signal.onAbort(() => void cancel());
  return {
    watch: ({ event }) => {
      if (event.kind === "stage_started") closing = event.stage === "verify" || event.stage === "finalise";
    },
    end: () => {
      ended = true;
    },
  };
}
