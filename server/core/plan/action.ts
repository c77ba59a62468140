import type { Hash } from "../base/hash.ts";
import type { RelationName } from "../base/relation-name.ts";
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
  | "drop_virtual_view";

/** Stages in order; every action is in exactly one. The evaluator adds preflight, verify and finalise, which have none. */
export type ActionStage = "schemas" | "create" | "fill" | "audit" | "promotion" | "fill_after" | "after";

export type Strategy = "create" | "metadata" | "replace" | "recreate" | "repoint" | "drop";

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
  | { readonly rung: "replace"; readonly code: "not_a_view"; readonly kind: string };

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
  | { readonly kind: "absent"; readonly relation: RelationName };
