import { z } from "zod";
import { capturedSchema } from "../catalog/captured-codec.ts";
import { actionSchema } from "./action-codec.ts";
import type { Blocker, Hazard } from "./hazards/hazard.ts";
import type { Backfill, BaseFact, Change, Dependent, PlanContext, PlanEffects, PlanTarget, Unit } from "./plan.ts";
import type { PlanOptions } from "./plan-options.ts";
import {
  affectedSchema,
  blockerCodeSchema,
  columnChangesSchema,
  columnsUsedSchema,
  hashSchema,
  hazardCodeSchema,
  knownVersionSchema,
  objectSchema,
  promotedModelSchema,
  reasonSchema,
  relationSchema,
  snapshotSchema,
} from "./values-codec.ts";

/** The shape of stored plans, field by field as in `plan.ts`; annotated so that the two can't drift apart unseen. */

const targetSchema: z.ZodType<PlanTarget> = z.strictObject({
  project: z.string(),
  environment: z.string(),
  gateway: z.string(),
  engine: z.literal("postgres"),
  database: z.string(),
  promotion: z.int().nonnegative(),
  submission: z.int().nonnegative(),
});

const optionsSchema: z.ZodType<PlanOptions> = z.strictObject({
  allowDestructive: z.array(z.string()).readonly(),
  accept: z.array(z.string()).readonly(),
  replaceProject: z.boolean(),
});

const baseFactSchema: z.ZodType<BaseFact> = z.strictObject({ key: z.string(), hash: hashSchema });

const changeSchema: z.ZodType<Change> = z.strictObject({
  model: z.string(),
  change: z.enum(["added", "removed", "modified", "indirect", "metadata"]),
  category: z
    .enum(["breaking", "non-breaking", "forward-only", "indirect-breaking", "indirect-non-breaking", "metadata"])
    .nullable(),
  row: z.literal([1, 2, 3, 4, 5, 6, 7, 8, 9]).nullable(),
  reasons: z.array(reasonSchema).readonly(),
  path: z.array(z.string()).readonly(),
  columns: columnChangesSchema,
  previous: hashSchema.nullable(),
  current: hashSchema.nullable(),
  served: z.enum(["create", "replace", "drop"]).nullable(),
  view: relationSchema.nullable(),
});

const backfillSchema: z.ZodType<Backfill> = z.strictObject({
  model: z.string(),
  kind: z.string(),
  relation: relationSchema,
  intervals: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  batches: z.int().nonnegative(),
});

const dependentSchema: z.ZodType<Dependent> = z.strictObject({
  object: objectSchema,
  owner: z.string(),
  managed: z.boolean(),
  of: z.array(z.strictObject({ object: objectSchema, columns: columnsUsedSchema })).readonly(),
  fate: z.enum(["kept", "replaced", "recreated", "blocked", "lost"]),
  strategy: z.string().nullable(),
  why: z.strictObject({ code: z.string(), objects: z.array(affectedSchema).readonly() }),
});

const hazardSchema: z.ZodType<Hazard> = z.strictObject({
  code: hazardCodeSchema,
  objects: z.array(affectedSchema).readonly(),
});

const blockerSchema: z.ZodType<Blocker> = z.strictObject({
  code: blockerCodeSchema,
  objects: z.array(affectedSchema).readonly(),
  details: z.record(z.string(), z.string()),
});

const unitSchema: z.ZodType<Unit> = z.strictObject({
  digest: hashSchema,
  model: z.string().nullable(),
  actions: z.array(z.string()).readonly(),
});

export const planEffectsSchema: z.ZodType<PlanEffects> = z.strictObject({
  target: targetSchema,
  source: hashSchema,
  options: optionsSchema,
  base: z.array(baseFactSchema).readonly(),
  changes: z.array(changeSchema).readonly(),
  snapshots: z.array(snapshotSchema).readonly(),
  versions: z.array(knownVersionSchema).readonly(),
  actions: z.array(actionSchema).readonly(),
  backfills: z.array(backfillSchema).readonly(),
  promotion: z.array(promotedModelSchema).readonly(),
  dependents: z.array(dependentSchema).readonly(),
  captured: z.array(capturedSchema).readonly(),
  hazards: z.array(hazardSchema).readonly(),
  blockers: z.array(blockerSchema).readonly(),
  units: z.array(unitSchema).readonly(),
});

export const planContextSchema: z.ZodType<PlanContext> = z.object({
  now: z.string(),
  tool: z.string(),
  author: z.string(),
  folder: z.string(),
  warnings: z.array(z.string()).readonly(),
  lineage: z
    .array(
      z.object({
        model: z.string(),
        kind: z.string(),
        reads: z.array(z.string()).readonly(),
        sources: z.array(z.string()).readonly(),
      }),
    )
    .readonly(),
  estimates: z.record(z.string(), z.object({ rows: z.number().nullable(), bytes: z.number().nullable() })),
});
