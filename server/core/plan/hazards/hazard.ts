import type { ObjectName } from "../../catalog/catalog.ts";

/** The closed list of what a reviewer must know about a plan; `docs/hazards.md` explains each. */
export type HazardCode =
  | "data_loss"
  | "outside_object_recreated"
  | "outside_object_lost"
  | "outside_object_retyped"
  | "stored_rows_recomputed"
  | "forward_only_destructive"
  | "rollback_lost"
  | "version_in_use"
  | "served_order_differs"
  | "columns_removed"
  | "column_retyped"
  | "history_not_recomputed"
  | "rebuild_expensive"
  | "reader_wait"
  | "old_version_still_read"
  | "conservative_category"
  | "environment_replaced"
  | "index_not_carried"
  /** A name disappears from the environment; the rows behind it wait for retention. */
  | "view_dropped"
  /** A name is dropped and made anew within the promotion: same name, new OID. */
  | "view_recreated";

export type Severity = "low" | "moderate" | "high" | "critical";

export interface Hazard {
  readonly code: HazardCode;
  readonly objects: readonly AffectedObject[];
}

/** Blockers that are also hazards can be accepted by name; the rest must be resolved. */
export type BlockerCode =
  | "outside_object_lost"
  | "outside_object_retyped"
  | "forward_only_destructive"
  | "version_in_use"
  | "stored_rows_recomputed"
  | "view_carries_access"
  | "too_many_locks"
  | "name_claimed"
  | "name_too_long"
  | "other_project"
  | "shape_missing"
  | "model_broken"
  | "rights_missing"
  | "state_disagrees"
  | "history_lost"
  | "author_cascade"
  | "environment_foreign_object";

export interface Blocker {
  readonly code: BlockerCode;
  readonly objects: readonly AffectedObject[];
  /** Facts for the sentence, by name: `{ model, column, reason }`. */
  readonly details: { readonly [name: string]: string };
}

export interface AffectedObject {
  readonly object: ObjectName;
  readonly owner: string | null;
  /** Columns of what is changed that it uses, or that are changed in it. */
  readonly columns: readonly string[] | "unknown";
}
