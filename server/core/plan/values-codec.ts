import { z } from "zod";
import type { RelationName } from "../base/relation-name.ts";
import type { ObjectName } from "../catalog/catalog.ts";
import type { KnownVersion, PromotedModel } from "../environment/environment.ts";
import type { Model } from "../model/model.ts";
import type { ModelKind } from "../model/model-kind.ts";
import type { ColumnChanges, OutputColumn } from "../snapshot/output-column.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Reason } from "./decision.ts";
import type { AffectedObject, BlockerCode, HazardCode } from "./hazards/hazard.ts";
import { blockerCodes, hazardCodes } from "./hazards/hazard-codes.ts";

/** Shapes of the values that plans are made of: names, columns, models, snapshots, versions. */

export const hashSchema = z.string();
export const relationSchema: z.ZodType<RelationName> = z.strictObject({ schema: z.string(), name: z.string() });
export const objectSchema: z.ZodType<ObjectName> = z.strictObject({
  schema: z.string(),
  name: z.string(),
  type: z.string(),
});
export const columnsUsedSchema: z.ZodType<readonly string[] | "unknown"> = z.union([
  z.literal("unknown"),
  z.array(z.string()).readonly(),
]);
export const affectedSchema: z.ZodType<AffectedObject> = z.strictObject({
  object: objectSchema,
  owner: z.string().nullable(),
  columns: columnsUsedSchema,
});
export const hazardCodeSchema: z.ZodType<HazardCode> = z.enum(hazardCodes);
export const blockerCodeSchema: z.ZodType<BlockerCode> = z.enum(blockerCodes);

const outputColumnSchema: z.ZodType<OutputColumn> = z.strictObject({
  name: z.string(),
  type: z.string(),
  collation: z.string().nullable(),
});
export const columnChangesSchema: z.ZodType<ColumnChanges> = z.strictObject({
  added: z.array(outputColumnSchema).readonly(),
  removed: z.array(outputColumnSchema).readonly(),
  retyped: z.array(z.strictObject({ name: z.string(), from: z.string(), to: z.string() })).readonly(),
  reordered: z.boolean(),
});

const kindSchema: z.ZodType<ModelKind> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("view") }),
  z.strictObject({ kind: z.literal("materialized_view") }),
  z.strictObject({ kind: z.literal("full") }),
  z.strictObject({
    kind: z.literal("seed"),
    seed: z.strictObject({
      path: z.string(),
      content: z.string(),
      columns: z.array(z.string()).readonly(),
      rows: z.number(),
    }),
  }),
  z.strictObject({ kind: z.literal("embedded") }),
  z.strictObject({ kind: z.literal("incremental_by_partition") }),
  z.strictObject({ kind: z.literal("external") }),
]);
const kindTagSchema = z.enum([
  "view",
  "materialized_view",
  "full",
  "seed",
  "embedded",
  "incremental_by_partition",
  "external",
]);

const placeSchema = z.strictObject({ path: z.string(), line: z.number().nullable(), column: z.number().nullable() });
const textSchema = z.strictObject({ expanded: z.string(), place: placeSchema });
const modelNameSchema = z.strictObject({ schema: z.string().nullable(), name: z.string() });
const propertiesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]),
);

const modelSchema: z.ZodType<Model> = z.strictObject({
  key: z.string(),
  name: modelNameSchema,
  kind: kindSchema,
  dialect: z.string(),
  path: z.string(),
  text: z.string(),
  query: textSchema.nullable(),
  preStatements: z.array(textSchema).readonly(),
  postStatements: z.array(textSchema).readonly(),
  columns: z
    .array(z.strictObject({ name: z.string(), type: z.string() }))
    .readonly()
    .nullable(),
  partitionedBy: z.array(z.string()).readonly(),
  metadata: z.strictObject({
    owner: z.string().nullable(),
    description: z.string().nullable(),
    columnDescriptions: z.record(z.string(), z.string()),
    tags: z.array(z.string()).readonly(),
    cron: z.string().nullable(),
    cronTz: z.string().nullable(),
    start: z.string().nullable(),
    end: z.string().nullable(),
    stamp: z.string().nullable(),
    other: z.record(z.string(), z.string()),
  }),
  physicalProperties: propertiesSchema,
  virtualProperties: propertiesSchema,
  references: z
    .array(
      z.strictObject({
        relation: modelNameSchema,
        model: z.string().nullable(),
        place: placeSchema,
        star: z.boolean(),
      }),
    )
    .readonly(),
});

export const snapshotSchema: z.ZodType<Snapshot> = z.strictObject({
  id: hashSchema,
  format: z.string(),
  definition: hashSchema,
  content: hashSchema,
  inPlace: hashSchema,
  metadata: hashSchema,
  model: modelSchema,
  parents: z.array(z.string()).readonly(),
});

export const knownVersionSchema: z.ZodType<KnownVersion> = z.strictObject({
  project: z.string(),
  model: z.string(),
  lookupKey: hashSchema,
  version: z.string(),
  kind: kindTagSchema,
  partitionedBy: z.array(z.string()).readonly(),
  relation: relationSchema,
  definition: hashSchema,
  content: hashSchema,
  columns: z.array(outputColumnSchema).readonly(),
  pristine: z.boolean(),
  filled: z.boolean(),
  preview: z.boolean(),
  owner: z.string().nullable(),
  usedBy: z.array(z.string()).readonly(),
});

export const promotedModelSchema: z.ZodType<PromotedModel> = z.strictObject({
  model: z.string(),
  snapshot: hashSchema,
  version: z.string().nullable(),
  relation: relationSchema.nullable(),
  view: relationSchema.nullable(),
  columns: z.array(outputColumnSchema).readonly(),
  served: z.array(z.string()).readonly(),
});

export const reasonSchema: z.ZodType<Reason> = z.discriminatedUnion("code", [
  z.strictObject({ code: z.literal("new_model") }),
  z.strictObject({ code: z.literal("model_removed") }),
  z.strictObject({ code: z.literal("kind_changed"), from: z.string(), to: z.string() }),
  z.strictObject({ code: z.literal("partitioning_changed") }),
  z.strictObject({ code: z.literal("query_changed") }),
  z.strictObject({ code: z.literal("statements_changed") }),
  z.strictObject({ code: z.literal("properties_changed"), keys: z.array(z.string()).readonly() }),
  z.strictObject({ code: z.literal("seed_changed") }),
  z.strictObject({ code: z.literal("embedded_changed"), parent: z.string() }),
  z.strictObject({ code: z.literal("external_columns_changed"), parent: z.string() }),
  z.strictObject({ code: z.literal("columns_changed") }),
  z.strictObject({ code: z.literal("parent_differs"), parent: z.string(), rebuilt: z.boolean() }),
  z.strictObject({ code: z.literal("source_replaced"), parent: z.string() }),
  z.strictObject({ code: z.literal("known_version"), version: z.string() }),
  z.strictObject({ code: z.literal("object_missing"), relation: relationSchema }),
  z.strictObject({ code: z.literal("index_changed") }),
  z.strictObject({ code: z.literal("storage_changed"), keys: z.array(z.string()).readonly() }),
  z.strictObject({ code: z.literal("description_changed") }),
  z.strictObject({ code: z.literal("label_changed"), properties: z.array(z.string()).readonly() }),
  z.strictObject({ code: z.literal("view_missing"), relation: relationSchema }),
  z.strictObject({ code: z.literal("new_environment") }),
]);
