import { z } from "zod";
import type { RelationName } from "../base/relation-name.ts";
import type {
  Captured,
  CapturedCheck,
  CapturedColumn,
  CapturedDefault,
  CapturedFunction,
  CapturedIndex,
  CapturedMaterializedView,
  CapturedPolicy,
  CapturedRowType,
  CapturedRule,
  CapturedStatistics,
  CapturedStoredColumn,
  CapturedTrigger,
  CapturedView,
  FiringState,
  HostKind,
  SecurityLabel,
} from "./captured.ts";
import type { Grant } from "./catalog.ts";

/** The shape of captured objects in stored plans, field by field as in `captured.ts`. */

const texts = z.array(z.string()).readonly();
const relation: z.ZodType<RelationName> = z.strictObject({ schema: z.string(), name: z.string() });
const grant: z.ZodType<Grant> = z.strictObject({
  grantor: z.string(),
  grantee: z.string(),
  privilege: z.string(),
  grantable: z.boolean(),
});
const grants = z.array(grant).readonly();
const label: z.ZodType<SecurityLabel> = z.strictObject({ provider: z.string(), label: z.string() });
const labels = z.array(label).readonly();
const state: z.ZodType<FiringState> = z.enum(["origin", "disabled", "replica", "always"]);
const hostKind: z.ZodType<HostKind> = z.enum(["table", "view", "materialized_view", "foreign_table"]);

const base = {
  object: z.strictObject({ schema: z.string(), name: z.string(), type: z.string() }),
  owner: z.string(),
  comment: z.string().nullable(),
  labels,
  extensions: texts,
};

const rowType: z.ZodType<CapturedRowType> = z.strictObject({ comment: z.string().nullable(), grants, labels });

const columnFields = {
  name: z.string(),
  type: z.string(),
  collation: z.string().nullable(),
  comment: z.string().nullable(),
  grants,
  labels,
  defaultExpression: z.string().nullable(),
};
const column: z.ZodType<CapturedColumn> = z.strictObject(columnFields);
const storedColumn: z.ZodType<CapturedStoredColumn> = z.strictObject({
  ...columnFields,
  storage: z.string().nullable(),
  compression: z.string().nullable(),
  statisticsTarget: z.int().nullable(),
  options: texts,
});

const view = z.strictObject({
  ...base,
  kind: z.literal("view"),
  relation,
  columns: z.array(column).readonly(),
  options: texts,
  definition: z.string(),
  grants,
  rowType,
}) satisfies z.ZodType<CapturedView>;

const materializedView = z.strictObject({
  ...base,
  kind: z.literal("materialized_view"),
  relation,
  columns: z.array(storedColumn).readonly(),
  options: texts,
  toastOptions: texts,
  definition: z.string(),
  grants,
  rowType,
  accessMethod: z.string(),
  tablespace: z.string().nullable(),
  populated: z.boolean(),
  replicaIdentity: z.enum(["default", "full", "nothing", "using_index"]),
  bytes: z.number(),
  estimatedRows: z.number().nullable(),
}) satisfies z.ZodType<CapturedMaterializedView>;

const index = z.strictObject({
  ...base,
  kind: z.literal("index"),
  index: relation,
  on: relation,
  definition: z.string(),
  tablespace: z.string().nullable(),
  clustered: z.boolean(),
  replicaIdentity: z.boolean(),
  statisticsTargets: z.array(z.strictObject({ column: z.int().positive(), target: z.int() })).readonly(),
}) satisfies z.ZodType<CapturedIndex>;

const statistics = z.strictObject({
  ...base,
  kind: z.literal("statistics"),
  statistics: relation,
  definition: z.string(),
  target: z.int().nullable(),
}) satisfies z.ZodType<CapturedStatistics>;

const rule = z.strictObject({
  ...base,
  kind: z.literal("rule"),
  rule: z.string(),
  on: relation,
  onKind: hostKind,
  definition: z.string(),
  state,
}) satisfies z.ZodType<CapturedRule>;

const trigger = z.strictObject({
  ...base,
  kind: z.literal("trigger"),
  trigger: z.string(),
  on: relation,
  onKind: hostKind,
  definition: z.string(),
  state,
}) satisfies z.ZodType<CapturedTrigger>;

const policy = z.strictObject({
  ...base,
  kind: z.literal("policy"),
  policy: z.string(),
  on: relation,
  command: z.enum(["ALL", "SELECT", "INSERT", "UPDATE", "DELETE"]),
  permissive: z.boolean(),
  roles: texts,
  using: z.string().nullable(),
  check: z.string().nullable(),
}) satisfies z.ZodType<CapturedPolicy>;

const defaultValue = z.strictObject({
  ...base,
  kind: z.literal("default"),
  on: relation,
  onKind: hostKind,
  column: z.string(),
  expression: z.string(),
}) satisfies z.ZodType<CapturedDefault>;

const check = z.strictObject({
  ...base,
  kind: z.literal("check"),
  constraint: z.string(),
  on: relation,
  definition: z.string(),
  validated: z.boolean(),
}) satisfies z.ZodType<CapturedCheck>;

const routine = z.strictObject({
  ...base,
  kind: z.literal("function"),
  routine: z.enum(["function", "procedure"]),
  signature: z.string(),
  schema: z.string(),
  definition: z.string(),
  grants,
  usesRowType: z.boolean(),
  cost: z.number(),
}) satisfies z.ZodType<CapturedFunction>;

export const capturedSchema: z.ZodType<Captured> = z.discriminatedUnion("kind", [
  view,
  materializedView,
  index,
  statistics,
  rule,
  trigger,
  policy,
  defaultValue,
  check,
  routine,
]);
