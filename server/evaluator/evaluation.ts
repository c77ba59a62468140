import type { Plan } from "../core/plan/plan.ts";
import type { Run } from "../core/stage/run.ts";
import type { Clock, Ids, Waiter } from "../ports/ambient.ts";
import type { Lease, StateStore } from "../ports/state-store.ts";
import type { Fence, Warehouse } from "../ports/warehouse.ts";
import type { Journal } from "./journal.ts";
import type { Progress } from "./progress.ts";

/** What one attempt at a run works with. A resumed run gets a new one, with a newer lease and newer fences. */
export interface Evaluation {
  readonly plan: Plan;
  readonly run: Run;
  readonly lease: Lease;
  readonly fences: readonly Fence[];
  readonly state: StateStore;
  readonly warehouse: Warehouse;
  readonly journal: Journal;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly waiter: Waiter;
  /** Fires when somebody asked to stop; looked at between transactions and used to cancel the one under way. */
  readonly signal: { readonly aborted: boolean };
  /** How long a transaction keeps trying to get its locks before it gives up, resumable. */
  readonly patienceMs: number;
  /** Of this attempt, in milliseconds since 1970. */
  readonly startedAt: number;
}
