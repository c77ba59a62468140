import type { ChangeView, DependentView, PlanView, SummaryView } from "../../server/core/review/plan-view.ts";

const quiet = { headline: "", text: "", detail: "", watch: false };

export function aSummary(parts: Partial<SummaryView> = {}): SummaryView {
  return {
    create: 0,
    replace: 1,
    drop: 0,
    recreate: 0,
    recreateUnmanaged: 0,
    lost: 0,
    intervals: 0,
    models: 0,
    line: "Plan: 0 to create, 1 to replace, 0 to drop, 0 to recreate, 0 lost.",
    ...parts,
  };
}

/** An open plan that replaces one view and harms nobody. */
export function aPlanView(parts: Partial<PlanView> = {}): PlanView {
  return {
    format: 1,
    id: "abcdefghijkl",
    digest: "6f1c".repeat(16),
    result: "applicable",
    state: "open",
    now: "2024-06-01T10:00:00.000Z",
    tool: "weir 0.1.0",
    author: "ilse",
    project: "shop",
    environment: "prod",
    gateway: "warehouse",
    engine: "postgres",
    options: {},
    base: [],
    summary: aSummary(),
    verdict: "One view is repointed; readers notice nothing.",
    risk: { level: "low", rule: "nothing is lost" },
    tiles: {
      downtime: { ...quiet, headline: "none" },
      data: { ...quiet, headline: "kept" },
      outside: { ...quiet, headline: "nothing moves" },
      undo: { ...quiet, headline: "seconds" },
    },
    changes: [aChangeView()],
    units: [],
    actions: [],
    dependents: [],
    backfills: [],
    audits: [],
    hazards: [],
    blockers: [],
    warnings: [],
    graph: { nodes: [], edges: [] },
    ...parts,
  };
}

export function aChangeView(parts: Partial<ChangeView> = {}): ChangeView {
  return {
    model: "shop.stg_items",
    kind: "VIEW",
    change: "modified",
    mark: "replace",
    category: "breaking",
    row: 4,
    reasons: ["its query changed"],
    path: ["shop.stg_items"],
    columns: { added: [], removed: [], retyped: [], reordered: false },
    previous: null,
    current: null,
    ...parts,
  };
}

export function aDependentView(parts: Partial<DependentView> = {}): DependentView {
  return {
    object: { schema: "bi", name: "catalogue", type: "view" },
    owner: "bi_owner",
    managed: false,
    of: [{ object: { schema: "shop", name: "stg_items", type: "view" }, columns: ["name"] }],
    fate: "kept",
    strategy: null,
    why: "it keeps its columns",
    ...parts,
  };
}
