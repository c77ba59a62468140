import type { Hash } from "../base/hash.ts";
import type { RelationName } from "../base/relation-name.ts";
import type { Captured } from "../catalog/captured.ts";
import type { ObjectName } from "../catalog/catalog.ts";
import type { KnownVersion, PromotedModel } from "../environment/environment.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { ColumnChanges } from "../snapshot/output-column.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Action } from "./action.ts";
import type { ChangeCategory, Reason, RuleRow } from "./decision.ts";
import type { AffectedObject, Blocker, Hazard } from "./hazards/hazard.ts";
import type { PlanOptions } from "./plan-options.ts";

/**
 * The value that is reviewed, approved and applied. `digest` = SHA-256 of the canonical JSON of `format` and `effects`;
 * `context` is for people and never steers anything. Everything needed to apply is in here and in artefacts of state.
 */
export interface Plan {
  readonly id: string;
  readonly digest: Hash;
  readonly format: number;
  readonly effects: PlanEffects;
  readonly context: PlanContext;
}

export const PLAN_FORMAT = 1;

export interface PlanEffects {
  readonly target: PlanTarget;
  /** Of the project's files; recorded, never read again. */
  readonly source: Hash;
  readonly options: PlanOptions;
  /** What building the plan relied on; each is read again at apply, and a difference makes the plan stale. */
  readonly base: readonly BaseFact[];
  readonly changes: readonly Change[];
  /** Snapshots that state doesn't have yet. */
  readonly snapshots: readonly Snapshot[];
  /** Versions that this plan makes or changes, as they are to be recorded once it is done. */
  readonly versions: readonly KnownVersion[];
  readonly actions: readonly Action[];
  readonly backfills: readonly Backfill[];
  /** What the environment serves afterwards: all of it, sorted by model. */
  readonly promotion: readonly PromotedModel[];
  readonly dependents: readonly Dependent[];
  /** As they were when the plan was made: all that is dropped, made again or lost, and each view whose columns change. */
  readonly captured: readonly Captured[];
  readonly hazards: readonly Hazard[];
  readonly blockers: readonly Blocker[];
  readonly units: readonly Unit[];
}

export interface PlanTarget {
  readonly project: string;
  readonly environment: string;
  readonly gateway: string;
  readonly engine: "postgres";
  readonly database: string;
  /** The environment's last promotion: applying makes it one more. */
  readonly promotion: number;
  readonly submission: number;
}

export interface PlanContext {
  readonly now: string;
  readonly tool: string;
  readonly author: string;
  readonly folder: string;
  readonly warnings: readonly string[];
  /** Every model of the project with what it reads, for graphs; `sources` are relations outside the project. */
  readonly lineage: readonly {
    readonly model: ModelKey;
    readonly kind: string;
    readonly reads: readonly ModelKey[];
    readonly sources: readonly string[];
  }[];
  /** Rows and bytes by relation, from the catalog's statistics. */
  readonly estimates: { readonly [relation: string]: { readonly rows: number | null; readonly bytes: number | null } };
}

/** `key` says what was read (`snapshot:repro.a`, `relation:bi.v`, `closure:repro.v`, `environment:prod`, `version:…`). */
export interface BaseFact {
  readonly key: string;
  readonly hash: Hash;
}

export interface Change {
  readonly model: ModelKey;
  readonly change: "added" | "removed" | "modified" | "indirect" | "metadata";
  readonly category: ChangeCategory | null;
  readonly row: RuleRow | null;
  readonly reasons: readonly Reason[];
  readonly path: readonly ModelKey[];
  readonly columns: ColumnChanges;
  readonly previous: Hash | null;
  readonly current: Hash | null;
  /** What happens to the model's name in the environment, counted once each; null where nothing does. */
  readonly served: "create" | "replace" | "drop" | null;
  readonly view: RelationName | null;
}

export interface Backfill {
  readonly model: ModelKey;
  readonly kind: string;
  readonly relation: RelationName;
  /** Half-open UTC intervals; empty for kinds that are built whole. */
  readonly intervals: readonly (readonly [string, string])[];
  readonly batches: number;
}

/** Something that hangs on what the plan touches, ours or not, and what becomes of it. */
export interface Dependent {
  readonly object: ObjectName;
  readonly owner: string;
  readonly managed: boolean;
  readonly of: readonly { readonly object: ObjectName; readonly columns: readonly string[] | "unknown" }[];
  readonly fate: "kept" | "replaced" | "recreated" | "blocked" | "lost";
  readonly strategy: string | null;
  /** Code of the reason, with the objects and columns it speaks of. */
  readonly why: { readonly code: string; readonly objects: readonly AffectedObject[] };
}

/** What an approval covers piecewise: one model in the target environment, or everything that belongs to none (null). */
export interface Unit {
  readonly digest: Hash;
  readonly model: ModelKey | null;
  readonly actions: readonly string[];
}

export type PlanResult = "empty" | "applicable" | "blocked";

export type PlanState =
  | "open"
  | "approved"
  | "applying"
  | "applied"
  | "failed"
  | "stale"
  | "superseded"
  | "expired"
  | "rejected"
  | "discarded";
