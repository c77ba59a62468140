import type { Hash } from "../base/hash.ts";
import type { RelationName } from "../base/relation-name.ts";
import type { KnownVersion, PromotedModel } from "../environment/environment.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { ColumnChanges, OutputColumn } from "../snapshot/output-column.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** A row of the rule table in the design page "Semantics". */
export type RuleRow = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** What the walk decided for one model: which version it is to have, and why. Actions are made from this, nothing else. */
export interface Decision {
  readonly model: ModelKey;
  /** Null for what the table has no row for: removed models, and kinds without an object of their own. */
  readonly row: RuleRow | null;
  readonly change: "added" | "removed" | "modified" | "indirect" | "metadata" | "none";
  readonly category: ChangeCategory | null;
  readonly reasons: readonly Reason[];
  /** From this model back to the one that was edited, along the reads that carried the change; itself alone when edited. */
  readonly path: readonly ModelKey[];
  readonly moved: boolean;
  readonly differs: boolean;
  /**
   * Against what the environment has now: a new environment keeps nothing, it reuses prod's versions.
   * `none`: the model has no physical object, or is removed.
   */
  readonly outcome: "keep" | "reuse" | "new" | "none";
  /** The physical object must be made: it is new, or state knows it and the catalog doesn't (row 9). */
  readonly create: boolean;
  readonly fill: FillDecision;
  /** Forward-only changes of the table's columns, done inside the promotion. Empty otherwise. */
  readonly alter: ColumnChanges | null;
  /** What the environment has now; null for an added model, and for every model of a new environment. */
  readonly previous: PromotedModel | null;
  /** What the walk compared with: `previous`, or in a new environment what prod has. */
  readonly compared: PromotedModel | null;
  /** Of `compared`, with hashes of the current format. */
  readonly previousSnapshot: Snapshot | null;
  /** Null for a removed model. */
  readonly next: NextVersion | null;
  /** Against `compared`, or everything added. */
  readonly columns: ColumnChanges;
  /**
   * Indexes, storage settings, descriptions or grants differ and are brought in line on whatever version results; also
   * where another known version is reused, since state doesn't say what that one carries. Never done to a borrowed one.
   */
  readonly inPlace: boolean;
}

export interface NextVersion {
  readonly snapshot: Hash;
  readonly version: string | null;
  readonly lookupKey: Hash | null;
  readonly relation: RelationName | null;
  readonly view: RelationName | null;
  readonly columns: readonly OutputColumn[];
  readonly preview: boolean;
  /** Another environment owns this version: it may be read, never written, filled or altered from here. */
  readonly borrowed: boolean;
  readonly known: KnownVersion | null;
}

export type FillDecision =
  | "none"
  /** Build it whole: a table's first rows, a materialized view's first refresh, a seed's load. */
  | "build"
  /** It holds rows of another content: replace them in one transaction, or refresh. */
  | "refill";

export type ChangeCategory =
  | "breaking"
  | "non-breaking"
  | "forward-only"
  | "indirect-breaking"
  | "indirect-non-breaking"
  | "metadata";

/** Why, as data; sentences are made in `describe`. */
export type Reason =
  | { readonly code: "new_model" }
  | { readonly code: "model_removed" }
  | { readonly code: "kind_changed"; readonly from: string; readonly to: string }
  | { readonly code: "partitioning_changed" }
  | { readonly code: "query_changed" }
  | { readonly code: "statements_changed" }
  | { readonly code: "properties_changed"; readonly keys: readonly string[] }
  | { readonly code: "seed_changed" }
  | { readonly code: "embedded_changed"; readonly parent: ModelKey }
  | { readonly code: "external_columns_changed"; readonly parent: ModelKey }
  | { readonly code: "columns_changed" }
  | { readonly code: "parent_differs"; readonly parent: ModelKey; readonly rebuilt: boolean }
  | { readonly code: "source_replaced"; readonly parent: ModelKey }
  | { readonly code: "known_version"; readonly version: string }
  | { readonly code: "object_missing"; readonly relation: RelationName }
  | { readonly code: "index_changed" }
  | { readonly code: "storage_changed"; readonly keys: readonly string[] }
  | { readonly code: "description_changed" }
  | { readonly code: "label_changed"; readonly properties: readonly string[] }
  | { readonly code: "view_missing"; readonly relation: RelationName }
  | { readonly code: "new_environment" };
