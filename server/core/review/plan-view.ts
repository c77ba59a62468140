import type { ObjectName } from "../catalog/catalog.ts";

/**
 * What screens, printers and `plan --json` show of a plan: view format 1, the published interface.
 * Made by `describePlan`; nothing in it ever steers what is done.
 */
export interface PlanView {
  readonly format: 1;
  readonly id: string;
  readonly digest: string;
  readonly result: "empty" | "applicable" | "blocked";
  readonly state: string;
  readonly now: string;
  readonly tool: string;
  readonly author: string;
  readonly project: string;
  readonly environment: string;
  readonly gateway: string;
  readonly engine: string;
  readonly options: { readonly [name: string]: unknown };
  readonly base: readonly { readonly key: string; readonly hash: string }[];
  readonly summary: SummaryView;
  /** One sentence: what is true and what it asks of the reader. */
  readonly verdict: string;
  readonly risk: { readonly level: "low" | "moderate" | "high" | "critical"; readonly rule: string };
  readonly tiles: TilesView;
  readonly changes: readonly ChangeView[];
  readonly units: readonly {
    readonly digest: string;
    readonly model: string | null;
    readonly actions: readonly string[];
  }[];
  readonly actions: readonly ActionView[];
  readonly dependents: readonly DependentView[];
  readonly backfills: readonly BackfillView[];
  readonly audits: readonly {
    readonly model: string;
    readonly name: string;
    readonly blocking: boolean;
    readonly when: string;
  }[];
  readonly hazards: readonly HazardView[];
  readonly blockers: readonly {
    readonly code: string;
    readonly sentence: string;
    readonly objects: readonly AffectedView[];
  }[];
  readonly warnings: readonly string[];
  readonly graph: GraphView;
}

export interface SummaryView {
  readonly create: number;
  readonly replace: number;
  readonly drop: number;
  readonly recreate: number;
  readonly recreateUnmanaged: number;
  readonly lost: number;
  readonly intervals: number;
  readonly models: number;
  readonly line: string;
}

/** The four answers above the fold; `detail` is a second, quieter line. */
export interface TilesView {
  readonly downtime: TileView;
  readonly data: TileView;
  readonly outside: TileView;
  readonly undo: TileView;
}
export interface TileView {
  readonly headline: string;
  readonly text: string;
  readonly detail: string;
  readonly watch: boolean;
}

export interface ChangeView {
  readonly model: string;
  readonly kind: string;
  readonly change: "added" | "removed" | "modified" | "indirect" | "metadata";
  /** Mark of the list: create, change, replace, drop, indirect, metadata. */
  readonly mark: "create" | "change" | "replace" | "drop" | "indirect" | "metadata";
  readonly category: string | null;
  readonly row: number | null;
  readonly reasons: readonly string[];
  readonly path: readonly string[];
  readonly columns: {
    readonly added: readonly { readonly name: string; readonly type: string }[];
    readonly removed: readonly { readonly name: string; readonly type: string }[];
    readonly retyped: readonly { readonly name: string; readonly from: string; readonly to: string }[];
    readonly reordered: boolean;
  };
  readonly previous: { readonly version: string | null; readonly text: string; readonly path: string } | null;
  readonly current: { readonly version: string | null; readonly text: string; readonly path: string } | null;
}

export interface ActionView {
  readonly id: string;
  readonly kind: string;
  /** "create view sqlmesh__repro.repro__a__1" */
  readonly title: string;
  readonly stage: string;
  readonly layer: "physical" | "virtual" | "outside" | "internal";
  readonly target: ObjectName;
  readonly model: string | null;
  readonly because: string | null;
  readonly strategy: string | null;
  readonly whyNotLower: readonly string[];
  readonly statements: readonly {
    readonly sql: string;
    readonly lock: string | null;
    readonly lockTimeoutMs: number | null;
    readonly statementTimeoutMs: number | null;
  }[];
  readonly hazards: readonly string[];
  readonly downtime: "none" | "brief-lock" | "rebuild" | "unknown";
  readonly reversible: boolean;
}

export interface DependentView {
  readonly object: ObjectName;
  readonly owner: string;
  readonly managed: boolean;
  readonly of: readonly { readonly object: ObjectName; readonly columns: readonly string[] | "unknown" }[];
  readonly fate: "kept" | "replaced" | "recreated" | "blocked" | "lost";
  readonly strategy: string | null;
  readonly why: string;
}

export interface BackfillView {
  readonly model: string;
  readonly kind: string;
  readonly intervals: readonly (readonly [string, string])[];
  readonly batches: number;
  readonly estimate: string | null;
}

export interface HazardView {
  readonly code: string;
  readonly severity: "low" | "moderate" | "high" | "critical";
  readonly sentence: string;
  readonly objects: readonly AffectedView[];
}

export interface AffectedView {
  readonly object: ObjectName;
  readonly owner: string | null;
  readonly columns: readonly string[] | "unknown";
}

/** Every model of the project and every outside object, with the reads between them; screens choose what to open on. */
export interface GraphView {
  readonly nodes: readonly {
    /** A model's key, or `type schema.name` for outside objects. Unique. */
    readonly id: string;
    readonly label: string;
    readonly schema: string;
    readonly kind: string;
    readonly managed: boolean;
    readonly owner: string | null;
    readonly mark:
      | "create"
      | "change"
      | "replace"
      | "drop"
      | "recreate"
      | "lost"
      | "indirect"
      | "metadata"
      | "blocked"
      | "kept"
      | null;
    readonly edited: boolean;
  }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly certain: boolean }[];
}
