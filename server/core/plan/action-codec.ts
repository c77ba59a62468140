import { z } from "zod";
import type { Action, Guard, LadderObstacle, Statement } from "./action.ts";
import { hashSchema, hazardCodeSchema, objectSchema, relationSchema } from "./values-codec.ts";

const statementSchema: z.ZodType<Statement> = z.strictObject({
  sql: z.string(),
  lock: z.string().nullable(),
  lockTimeoutMs: z.number().nullable(),
  statementTimeoutMs: z.number().nullable(),
  alone: z.boolean(),
});

const guardSchema: z.ZodType<Guard> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("unchanged"), relation: relationSchema, fingerprint: hashSchema }),
  z.strictObject({ kind: z.literal("bare"), relation: relationSchema, owner: z.string(), fingerprint: hashSchema }),
  z.strictObject({ kind: z.literal("absent"), relation: relationSchema }),
  z.strictObject({
    kind: z.literal("captured"),
    objects: z.array(objectSchema).readonly(),
    aspects: z
      .array(z.enum(["definition", "columns", "owner", "grants", "options", "comments", "labels", "state"]))
      .readonly(),
  }),
  z.strictObject({ kind: z.literal("rows_remembered"), relation: relationSchema }),
  z.strictObject({ kind: z.literal("rows_same"), relation: relationSchema }),
  z.strictObject({
    kind: z.literal("ordinals"),
    view: relationSchema,
    dependents: z.array(objectSchema).readonly(),
  }),
]);

const rung = z.literal("replace");
const rebind = z.literal("rebind");
const obstacleSchema: z.ZodType<LadderObstacle> = z.discriminatedUnion("code", [
  z.strictObject({ rung, code: z.literal("column_removed"), column: z.string() }),
  z.strictObject({ rung, code: z.literal("column_renamed"), column: z.string(), to: z.string() }),
  z.strictObject({ rung, code: z.literal("column_retyped"), column: z.string(), from: z.string(), to: z.string() }),
  z.strictObject({ rung, code: z.literal("column_moved"), column: z.string(), position: z.number() }),
  z.strictObject({ rung, code: z.literal("not_a_view"), kind: z.string() }),
  z.strictObject({ rung: rebind, code: z.literal("dependent_kind"), object: objectSchema }),
  z.strictObject({ rung: rebind, code: z.literal("row_type"), object: objectSchema }),
  z.strictObject({ rung: rebind, code: z.literal("columns_change"), object: objectSchema }),
  z.strictObject({ rung: rebind, code: z.literal("recreated_anyway"), object: objectSchema }),
  z.strictObject({ rung: rebind, code: z.literal("column_below_retyped"), column: z.string() }),
]);

export const actionSchema: z.ZodType<Action> = z.strictObject({
  id: z.string(),
  kind: z.enum([
    "set_up_internal",
    "create_schema",
    "create_view",
    "create_materialized_view",
    "create_table",
    "fill_table",
    "load_seed",
    "refresh_materialized_view",
    "create_index",
    "drop_index",
    "analyze",
    "set_storage",
    "set_access",
    "comment",
    "run_statement",
    "alter_table",
    "create_virtual_view",
    "replace_virtual_view",
    "recreate_virtual_view",
    "rebind_virtual_view",
    "drop_virtual_view",
    "hold_objects",
    "check_objects",
    "drop_object",
    "recreate_object",
    "rebind_object",
    "drop_aside_view",
    "drop_version",
  ]),
  stage: z.enum(["schemas", "create", "fill", "audit", "promotion", "fill_after", "after"]),
  layer: z.enum(["physical", "virtual", "outside", "internal"]),
  target: objectSchema,
  model: z.string().nullable(),
  because: z.string().nullable(),
  strategy: z.enum(["create", "metadata", "replace", "rebind", "recreate", "repoint", "drop"]).nullable(),
  whyNotLower: z.array(obstacleSchema).readonly(),
  statements: z.array(statementSchema).readonly(),
  guards: z.array(guardSchema).readonly(),
  hazards: z.array(hazardCodeSchema).readonly(),
  downtime: z.enum(["none", "brief-lock", "rebuild", "unknown"]),
  reversible: z.boolean(),
  artefact: hashSchema.nullable(),
});
