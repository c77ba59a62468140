import type { Hash } from "../base/hash.ts";
import type { RelationName } from "../base/relation-name.ts";
import type { CapturedAspect } from "../catalog/captured.ts";
import type { ObjectName } from "../catalog/catalog.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { HazardCode } from "./hazards/hazard.ts";

/**
 * What will be done to the warehouse, in the order of the list. An action is data: its SQL is rendered into it,
 * byte for byte what will run, and it names the change that caused it.
 */
export interface Action {
  /** `a01`, `a02`, … in order. */
  readonly id: string;
  readonly kind: ActionKind;
  readonly stage: ActionStage;
  readonly layer: "physical" | "virtual" | "outside" | "internal";
  readonly target: ObjectName;
  readonly model: ModelKey | null;
  /** Model whose change caused it; itself for direct edits. */
  readonly because: ModelKey | null;
  /** Which rung of the ladder, for what readers use; null elsewhere. */
  readonly strategy: Strategy | null;
  /** For each lower rung why it isn't legal, as codes with what stands in the way. */
  readonly whyNotLower: readonly LadderObstacle[];
  readonly statements: readonly Statement[];
  /** Checked under the action's own locks before its statements run; a guard that fails makes the plan stale. */
  readonly guards: readonly Guard[];
  readonly hazards: readonly HazardCode[];
  readonly downtime: "none" | "brief-lock" | "rebuild" | "unknown";
  readonly reversible: boolean;
  /** Rows of a seed that this action sends: hash of the artefact in state. */
  readonly artefact: Hash | null;
}

export type ActionKind =
  | "set_up_internal"
  | "create_schema"
  | "create_view"
  | "create_materialized_view"
  | "create_table"
  | "fill_table"
  | "load_seed"
  | "refresh_materialized_view"
  | "create_index"
  | "drop_index"
  | "analyze"
  | "set_storage"
  | "set_access"
  | "comment"
  | "run_statement"
  | "alter_table"
  | "create_virtual_view"
  | "replace_virtual_view"
  | "recreate_virtual_view"
  | "rebind_virtual_view"
  | "drop_virtual_view"
  /** Locks, dependents first, on everything that will be dropped, made again or pointed elsewhere. */
  | "hold_objects"
  /** Nothing but its guards: what was captured is what is there. */
  | "check_objects"
  | "drop_object"
  | "recreate_object"
  | "rebind_object"
  /** The renamed old view, once nobody reads it any more. */
  | "drop_aside_view"
  /** A version that nothing serves any more and that stands in the way of a change. */
  | "drop_version";

/** Stages in order; every action is in exactly one. The evaluator adds preflight, verify and finalise, which have none. */
export type ActionStage = "schemas" | "create" | "fill" | "audit" | "promotion" | "fill_after" | "after";

export type Strategy = "create" | "metadata" | "replace" | "rebind" | "recreate" | "repoint" | "drop";

export type LadderObstacle =
  | { readonly rung: "replace"; readonly code: "column_removed"; readonly column: string }
  | { readonly rung: "replace"; readonly code: "column_renamed"; readonly column: string; readonly to: string }
  | {
      readonly rung: "replace";
      readonly code: "column_retyped";
      readonly column: string;
      readonly from: string;
      readonly to: string;
    }
  | { readonly rung: "replace"; readonly code: "column_moved"; readonly column: string; readonly position: number }
  | { readonly rung: "replace"; readonly code: "not_a_view"; readonly kind: string }
  /** A direct dependent of a kind that has no OR REPLACE. */
  | { readonly rung: "rebind"; readonly code: "dependent_kind"; readonly object: ObjectName }
  /** A direct dependent whose columns or signature are built on the row type. */
  | { readonly rung: "rebind"; readonly code: "row_type"; readonly object: ObjectName }
  /** A direct dependent whose own columns would change. */
  | { readonly rung: "rebind"; readonly code: "columns_change"; readonly object: ObjectName }
  /** Another change of the same plan has to make that dependent again anyway. */
  | { readonly rung: "rebind"; readonly code: "recreated_anyway"; readonly object: ObjectName }
  /** A column that the view is over changes its type, so the view must be gone meanwhile. */
  | { readonly rung: "rebind"; readonly code: "column_below_retyped"; readonly column: string };

export interface Statement {
  readonly sql: string;
  /** Strongest lock it takes on what readers use, in Postgres' words; null where it takes none there. */
  readonly lock: string | null;
  /** 0 means no limit; null keeps the session's. */
  readonly lockTimeoutMs: number | null;
  readonly statementTimeoutMs: number | null;
  /** Runs by itself, outside a transaction (CREATE INDEX CONCURRENTLY, VACUUM). */
  readonly alone: boolean;
}

export type Guard =
  /** Same name-keyed fingerprint as when the plan was made. */
  | { readonly kind: "unchanged"; readonly relation: RelationName; readonly fingerprint: Hash }
  /** Nothing depends on it and it carries nothing that a drop would lose. */
  | { readonly kind: "bare"; readonly relation: RelationName; readonly owner: string; readonly fingerprint: Hash }
  | { readonly kind: "absent"; readonly relation: RelationName }
  /** Read anew, these are as the plan's `captured` has them, on the sides that are named. */
  | { readonly kind: "captured"; readonly objects: readonly ObjectName[]; readonly aspects: readonly CapturedAspect[] }
  /** Counts and hashes a materialized view's rows, for `rows_same` later in the same transaction. */
  | { readonly kind: "rows_remembered"; readonly relation: RelationName }
  /** Made again, it holds the rows that it held; else `rows_differ`. */
  | { readonly kind: "rows_same"; readonly relation: RelationName }
  /**
   * None of these uses a column of the view by its place: its columns are renamed to sentinels in a savepoint, and each
   * must turn up in what the server then prints of the dependents.
   */
  | { readonly kind: "ordinals"; readonly view: RelationName; readonly dependents: readonly ObjectName[] };
