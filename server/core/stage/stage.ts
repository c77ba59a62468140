import type { Action } from "../plan/action.ts";

/**
 * What is done in order to carry a plan out. Every action of the plan is in exactly one stage; preflight, verify and
 * finalise have none. `promotion` is there even without actions: its transaction also leaves the warehouse's record.
 */
export type Stage =
  | { readonly kind: "preflight" }
  | { readonly kind: "schemas"; readonly transactions: readonly StageTransaction[] }
  | { readonly kind: "create"; readonly transactions: readonly StageTransaction[] }
  | { readonly kind: "fill"; readonly transactions: readonly StageTransaction[] }
  | { readonly kind: "audit"; readonly transactions: readonly StageTransaction[] }
  | { readonly kind: "promotion"; readonly transaction: StageTransaction }
  | { readonly kind: "fill_after"; readonly transactions: readonly StageTransaction[] }
  | { readonly kind: "verify" }
  | { readonly kind: "finalise" }
  | { readonly kind: "after"; readonly transactions: readonly StageTransaction[] };

/** All or nothing, under one marker. `alone`: its one action's statements refuse to run inside a transaction. */
export interface StageTransaction {
  /** The action's id, or `promotion`: names the marker that tells whether it was committed. */
  readonly marker: string;
  readonly actions: readonly Action[];
  readonly alone: boolean;
}
