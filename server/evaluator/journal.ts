import type { RunEvent, RunHappening } from "../core/stage/run.ts";
import type { Clock } from "../ports/ambient.ts";
import type { Lease, StateStore } from "../ports/state-store.ts";

/** The run's append-only record: written to state first, shown to whoever watches only after that. */
export interface Journal {
  readonly write: (event: RunHappening) => Promise<void>;
  /** For events that state has written already, together with what they tell of. */
  readonly show: (events: readonly RunEvent[]) => void;
}

export function openJournal(
  state: Pick<StateStore, "appendEvent">,
  clock: Clock,
  run: string,
  lease: Lease,
  onEvent: (event: RunEvent) => void,
): Journal {
  return {
    write: async (event) => onEvent(await state.appendEvent(run, lease, clock.now(), event)),
    show: (events) => {
      for (const event of events) onEvent(event);
    },
  };
}
