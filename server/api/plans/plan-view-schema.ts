import { z } from "zod";
import type { PlanView } from "../../core/review/plan-view.ts";
import { list } from "../list-schema.ts";

const objectName = z.object({ schema: z.string(), name: z.string(), type: z.string() });
const columns = z.union([list(z.string()), z.literal("unknown")]);
const affected = z.object({ object: objectName, owner: z.string().nullable(), columns });
const severity = z.enum(["low", "moderate", "high", "critical"]);
const tile = z.object({ headline: z.string(), text: z.string(), detail: z.string(), watch: z.boolean() });
const column = z.object({ name: z.string(), type: z.string() });
const modelText = z.object({ version: z.string().nullable(), text: z.string(), path: z.string() }).nullable();

export const summarySchema = z.object({
  create: z.number(),
  replace: z.number(),
  drop: z.number(),
  recreate: z.number(),
  recreateUnmanaged: z.number(),
  lost: z.number(),
  intervals: z.number(),
  models: z.number(),
  line: z.string(),
});
export const tilesSchema = z.object({ downtime: tile, data: tile, outside: tile, undo: tile });
export const riskSchema = z.object({ level: severity, rule: z.string() });

const change = z.object({
  model: z.string(),
  kind: z.string(),
  change: z.enum(["added", "removed", "modified", "indirect", "metadata"]),
  mark: z.enum(["create", "change", "replace", "drop", "indirect", "metadata"]),
  category: z.string().nullable(),
  row: z.number().nullable(),
  reasons: list(z.string()),
  path: list(z.string()),
  columns: z.object({
    added: list(column),
    removed: list(column),
    retyped: list(z.object({ name: z.string(), from: z.string(), to: z.string() })),
    reordered: z.boolean(),
  }),
  previous: modelText,
  current: modelText,
});

const action = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  stage: z.string(),
  layer: z.enum(["physical", "virtual", "outside", "internal"]),
  target: objectName,
  model: z.string().nullable(),
  because: z.string().nullable(),
  strategy: z.string().nullable(),
  whyNotLower: list(z.string()),
  statements: list(
    z.object({
      sql: z.string(),
      lock: z.string().nullable(),
      lockTimeoutMs: z.number().nullable(),
      statementTimeoutMs: z.number().nullable(),
    }),
  ),
  hazards: list(z.string()),
  downtime: z.enum(["none", "brief-lock", "rebuild", "unknown"]),
  reversible: z.boolean(),
});

const dependent = z.object({
  object: objectName,
  owner: z.string(),
  managed: z.boolean(),
  of: list(z.object({ object: objectName, columns })),
  fate: z.enum(["kept", "replaced", "recreated", "blocked", "lost"]),
  strategy: z.string().nullable(),
  why: z.string(),
});

const mark = z.enum([
  "create",
  "change",
  "replace",
  "drop",
  "recreate",
  "lost",
  "indirect",
  "metadata",
  "blocked",
  "kept",
]);

const graph = z.object({
  nodes: list(
    z.object({
      id: z.string(),
      label: z.string(),
      schema: z.string(),
      kind: z.string(),
      managed: z.boolean(),
      owner: z.string().nullable(),
      mark: mark.nullable(),
      edited: z.boolean(),
    }),
  ),
  edges: list(z.object({ from: z.string(), to: z.string(), certain: z.boolean() })),
});

/** The published view, format 1. Checked on its way out so that what screens rely on is what is sent. */
export const planViewSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  digest: z.string(),
  result: z.enum(["empty", "applicable", "blocked"]),
  state: z.string(),
  now: z.string(),
  tool: z.string(),
  author: z.string(),
  project: z.string(),
  environment: z.string(),
  gateway: z.string(),
  engine: z.string(),
  options: z.record(z.string(), z.unknown()),
  base: list(z.object({ key: z.string(), hash: z.string() })),
  summary: summarySchema,
  verdict: z.string(),
  risk: riskSchema,
  tiles: tilesSchema,
  changes: list(change),
  units: list(z.object({ digest: z.string(), model: z.string().nullable(), actions: list(z.string()) })),
  actions: list(action),
  dependents: list(dependent),
  backfills: list(
    z.object({
      model: z.string(),
      kind: z.string(),
      intervals: list(z.tuple([z.string(), z.string()]).readonly()),
      batches: z.number(),
      estimate: z.string().nullable(),
    }),
  ),
  audits: list(z.object({ model: z.string(), name: z.string(), blocking: z.boolean(), when: z.string() })),
  hazards: list(z.object({ code: z.string(), severity, sentence: z.string(), objects: list(affected) })),
  blockers: list(z.object({ code: z.string(), sentence: z.string(), objects: list(affected) })),
  warnings: list(z.string()),
  graph,
}) satisfies z.ZodType<PlanView>;
