import type { PlanView } from "../../server/core/review/plan-view.ts";
import { aPlanView, type ModelSketch, type OutsideSketch } from "./a-plan-view.ts";

const header = (name: string, kind: string, more = "") =>
  `MODEL (\n  name ${name},\n  kind ${kind},\n  owner data_platform,\n  cron '@daily',\n  tags (items, staging),\n  description 'Items as the shop sells them',\n  grain id${more}\n);\n\n`;

const sources: readonly ModelSketch[] = [
  { key: "shop.items", kind: "EXTERNAL" },
  { key: "shop.orders", kind: "EXTERNAL" },
  { key: "shop.refunds", kind: "EXTERNAL" },
];

const before = `${header("repro.stg_items_base", "VIEW")}SELECT\n  id,\n  name,\n  __is_deleted\nFROM repro.raw_items\n`;
const after = `${header("repro.stg_items_base", "VIEW")}SELECT\n  id,\n  __is_deleted,\n  name,\n  group_id -- from the new catalogue\nFROM repro.raw_items\n`;

const models: readonly ModelSketch[] = [
  ...sources,
  { key: "repro.raw_items", kind: "FULL", parents: ["shop.items"] },
  { key: "repro.raw_orders", kind: "INCREMENTAL_BY_PARTITION", parents: ["shop.orders"] },
  { key: "repro.raw_refunds", kind: "INCREMENTAL_BY_PARTITION", parents: ["shop.refunds"] },
  { key: "repro.item_groups", kind: "SEED" },
  {
    key: "repro.stg_items_base",
    parents: ["repro.raw_items"],
    mark: "replace",
    change: "modified",
    category: "non-breaking",
    reasons: ["columns reordered, 1 added"],
    before,
    after,
    columns: { added: [{ name: "group_id", type: "integer" }], reordered: true },
  },
  {
    key: "repro.stg_orders",
    parents: ["repro.raw_orders"],
    mark: "metadata",
    change: "metadata",
    category: "metadata",
    reasons: ["owner changed"],
    before: header("repro.stg_orders", "VIEW"),
    after: header("repro.stg_orders", "VIEW").replace("data_platform", "sales"),
  },
  { key: "repro.stg_refunds", parents: ["repro.raw_refunds"] },
  {
    key: "repro.stg_groups",
    parents: ["repro.item_groups"],
    mark: "create",
    change: "added",
    category: "breaking",
    reasons: ["new model"],
    after: `${header("repro.stg_groups", "VIEW")}SELECT group_id, trim(label) AS label\nFROM repro.item_groups\n`,
    columns: {
      added: [
        { name: "group_id", type: "integer" },
        { name: "label", type: "text" },
      ],
    },
  },
  {
    key: "repro.stg_items",
    parents: ["repro.stg_items_base"],
    mark: "replace",
    change: "indirect",
    category: "indirect-non-breaking",
    reasons: ["reads repro.stg_items_base, which gets a new version"],
    path: ["repro.stg_items", "repro.stg_items_base"],
    before: `${header("repro.stg_items", "VIEW")}SELECT id, name FROM repro.stg_items_base WHERE NOT __is_deleted\n`,
    after: `${header("repro.stg_items", "VIEW")}SELECT id, name FROM repro.stg_items_base WHERE NOT __is_deleted\n`,
  },
  {
    key: "repro.audit_items",
    kind: "INCREMENTAL_BY_PARTITION",
    parents: ["repro.stg_items_base"],
    mark: "indirect",
    change: "indirect",
    category: "indirect-non-breaking",
    reasons: ["reads no changed column, kept"],
    path: ["repro.audit_items", "repro.stg_items_base"],
  },
  {
    key: "mart.item_labels",
    parents: ["repro.stg_items"],
    mark: "drop",
    change: "removed",
    reasons: ["removed from the project"],
    before: `${header("mart.item_labels", "VIEW")}SELECT id, upper(name) AS label\nFROM repro.stg_items\n`,
  },
  {
    key: "mart.sales_daily",
    kind: "FULL",
    parents: ["repro.stg_orders", "repro.stg_refunds"],
    mark: "replace",
    change: "modified",
    category: "breaking",
    reasons: ["net_amount is computed anew"],
    intervals: 1,
    before: `${header("mart.sales_daily", "FULL")}SELECT\n  o.day,\n  sum(o.amount) AS net_amount\nFROM repro.stg_orders AS o\nGROUP BY o.day\n`,
    after: `${header("mart.sales_daily", "FULL")}SELECT\n  o.day,\n  sum(o.amount) - coalesce(sum(r.amount), 0) AS net_amount\nFROM repro.stg_orders AS o\nLEFT JOIN repro.stg_refunds AS r ON r.day = o.day\nGROUP BY o.day\n`,
    columns: { retyped: [{ name: "net_amount", from: "numeric(12,2)", to: "numeric" }] },
  },
  {
    key: "mart.sales_weekly",
    kind: "FULL",
    parents: ["mart.sales_daily"],
    mark: "replace",
    change: "indirect",
    category: "indirect-breaking",
    reasons: ["reads net_amount of mart.sales_daily"],
    path: ["mart.sales_weekly", "mart.sales_daily"],
    intervals: 1,
  },
  {
    key: "mart.item_turnover",
    kind: "FULL",
    parents: ["repro.stg_items", "mart.sales_daily"],
    mark: "replace",
    change: "indirect",
    category: "indirect-breaking",
    reasons: ["reads net_amount of mart.sales_daily"],
    path: ["mart.item_turnover", "mart.sales_daily"],
    intervals: 1,
  },
  {
    key: "mart.group_sales",
    kind: "FULL",
    parents: ["repro.stg_items_base", "repro.stg_groups", "mart.sales_daily"],
    mark: "create",
    change: "added",
    reasons: ["new model"],
    intervals: 1,
    after: `${header("mart.group_sales", "FULL")}SELECT g.label, sum(s.net_amount) AS net_amount\nFROM mart.sales_daily AS s\nJOIN repro.stg_groups AS g USING (group_id)\nGROUP BY g.label\n`,
  },
  {
    key: "mart.group_share",
    parents: ["mart.group_sales"],
    mark: "create",
    change: "added",
    reasons: ["new model"],
    after: `${header("mart.group_share", "VIEW")}SELECT label, net_amount / sum(net_amount) OVER () AS share\nFROM mart.group_sales\n`,
  },
];

const outside: readonly OutsideSketch[] = [
  {
    schema: "bi",
    name: "items_mv",
    type: "materialized view",
    of: [{ key: "repro.stg_items_base", columns: ["id", "__is_deleted"] }],
    fate: "kept",
    why: "reads only columns that stay",
  },
  {
    schema: "bi",
    name: "items_summary",
    of: [{ key: "repro.stg_items_base", columns: "unknown" }],
    fate: "kept",
    why: "reads bi.items_mv, which is kept",
  },
  {
    schema: "bi",
    name: "items_report",
    of: [{ key: "repro.stg_items", columns: ["id", "name"] }],
    fate: "kept",
    why: "reads only columns that stay",
  },
  {
    schema: "bi",
    name: "sales_board",
    of: [{ key: "mart.sales_daily", columns: ["day", "net_amount"] }],
    fate: "kept",
    why: "its column keeps its name and position",
  },
];

export const waitingPlan: PlanView = aPlanView({
  id: "k7qwm2x4hd3a",
  digest: "4c1e8f2a90f33d17be20c4151ac90e2d3f05a9e4410bb7ce2914c6a2f60c9d8a",
  now: "2025-11-30T09:25:04.120Z",
  models,
  outside,
  verdict: "Needs your decision: 4 objects of bi_owner read what changes, and all of them stay",
  risk: { level: "moderate", rule: "3 tables are rebuilt, without loss and without a gap" },
  tiles: {
    downtime: {
      headline: "0 s",
      text: "no reader gets an error",
      detail: "5 views wait for locks, 250 ms at most each",
      watch: false,
    },
    data: { headline: "4", text: "tables filled anew", detail: "Duration unknown: first run here", watch: false },
    outside: { headline: "4 kept", text: "0 lost", detail: "4 of bi_owner read what changes", watch: true },
    undo: {
      headline: "Repoint",
      text: "to the versions of now",
      detail: "They stay for 7 days after the run",
      watch: false,
    },
  },
  hazards: [
    {
      code: "served_order_differs",
      severity: "low",
      sentence: "repro.stg_items_base keeps serving its columns in the old order, because bi.items_mv depends on it.",
      objects: [
        {
          object: { schema: "repro", name: "stg_items_base", type: "view" },
          owner: null,
          columns: ["name", "__is_deleted"],
        },
      ],
    },
    {
      code: "reader_wait",
      severity: "moderate",
      sentence: "Readers of 5 views may wait up to 250 ms while the promotion holds its locks.",
      objects: [],
    },
  ],
  warnings: [],
});

export const blockedPlan: PlanView = aPlanView({
  id: "p4vnc9t2r6sb",
  digest: "e07b5d1941c8a2f60c9d8a4c1e8f2a90f33d17be20c4151ac90e2d3f05a9e441",
  now: "2025-11-30T09:29:10.000Z",
  author: "tomas",
  models: models.map((model) =>
    model.key === "repro.stg_items_base"
      ? {
          ...model,
          reasons: ["column name removed"],
          after: before.replace("  name,\n", ""),
          columns: { removed: [{ name: "name", type: "text" }] },
        }
      : model.key === "repro.stg_items"
        ? {
            ...model,
            change: "modified" as const,
            reasons: ["column name removed"],
            columns: { removed: [{ name: "name", type: "text" }] },
            after: `${header("repro.stg_items", "VIEW")}SELECT id FROM repro.stg_items_base WHERE NOT __is_deleted\n`,
          }
        : model.change === "added" || model.change === "removed" || model.key.startsWith("mart.")
          ? { key: model.key, ...(model.kind === undefined ? {} : { kind: model.kind }), parents: model.parents ?? [] }
          : model,
  ),
  outside: [
    {
      schema: "bi",
      name: "items_report",
      of: [{ key: "repro.stg_items", columns: ["id", "name"] }],
      fate: "blocked",
      why: "its definition names the column name, which this plan drops",
    },
    ...outside.slice(0, 2),
  ],
  verdict: "Blocked: bi.items_report uses a column that this plan drops",
  risk: { level: "critical", rule: "1 object outside the project could not come back" },
  tiles: {
    downtime: { headline: "0 s", text: "nothing can run yet", detail: "Blocked plans change nothing", watch: false },
    data: { headline: "0", text: "tables to fill", detail: "Only views change", watch: false },
    outside: {
      headline: "1 blocks",
      text: "2 kept, 0 lost",
      detail: "bi.items_report of bi_owner uses name",
      watch: true,
    },
    undo: { headline: "Not needed", text: "", detail: "Nothing can be applied", watch: false },
  },
  blockers: [
    {
      code: "outside_object_lost",
      sentence:
        "bi.items_report (owner bi_owner) uses repro.stg_items.name, which this plan drops, so it could not be brought back. Keep the column, have bi_owner change the view first, or accept its loss by name: weir plan prod --accept outside_object_lost:bi.items_report.",
      objects: [{ object: { schema: "bi", name: "items_report", type: "view" }, owner: "bi_owner", columns: ["name"] }],
    },
  ],
});

export const stagingPlan: PlanView = aPlanView({
  id: "b2mzt8k5wq7e",
  now: "2025-11-30T07:31:00.000Z",
  environment: "staging",
  models: models.map((model) =>
    model.key === "mart.sales_daily" || model.change === undefined || model.key === "mart.sales_weekly"
      ? model
      : { key: model.key, parents: model.parents ?? [], ...(model.kind === undefined ? {} : { kind: model.kind }) },
  ),
  risk: { level: "moderate", rule: "rebuild without loss and without a gap" },
  verdict: "Needs your decision: 2 tables are rebuilt",
});

const oddNames = [
  '"Sales"."Top.10"',
  'shop."a/b"',
  'shop."größe"',
  'shop."100%"',
  'shop."<b>x</b>"',
  `shop."it's ""quoted"""`,
  `shop."${"a_rather_long_name_that_goes_on_".repeat(3).slice(0, 60)}"`,
];

export const oddPlan: PlanView = aPlanView({
  id: "o9odd3names1",
  now: "2025-11-30T08:00:00.000Z",
  environment: "dev_ilse",
  models: [
    { key: "shop.items", kind: "EXTERNAL" },
    ...oddNames.map(
      (key, index): ModelSketch => ({
        key,
        parents: [index === 0 ? "shop.items" : (oddNames[index - 1] ?? "")],
        mark: "create",
        change: "added",
        reasons: ["new model"],
        after: `MODEL (name ${key});\n\nSELECT '<b>x</b>' AS "größe" FROM shop.items\n`,
      }),
    ),
  ],
});

export const emptyPlan: PlanView = aPlanView({
  id: "e1empty0plan",
  now: "2025-11-29T16:02:00.000Z",
  models: sources,
  verdict: "No changes: prod matches the project",
});

/** For the graph: layers of 20, each node reading two of the layer before and one hub. */
export function largePlan(nodes: number): PlanView {
  const name = (index: number) => `layer_${Math.floor(index / 200)}.model_${String(index).padStart(4, "0")}`;
  return aPlanView({
    id: "l4large0plan",
    now: "2025-11-30T06:00:00.000Z",
    environment: "dev_large",
    models: Array.from({ length: nodes }, (_, index): ModelSketch => {
      const parents = index < 20 ? [] : [index - 20, index - 19, ...(index % 7 === 0 ? [3] : [])].map(name);
      return {
        key: name(index),
        parents,
        kind: "VIEW",
        mark: index % 3 === 0 ? "replace" : "create",
        change: index % 3 === 0 ? "modified" : "added",
        reasons: ["generated"],
      };
    }),
  });
}
