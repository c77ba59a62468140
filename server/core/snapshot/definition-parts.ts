import type { Json } from "../base/hash.ts";
import { assertNever } from "../base/result.ts";
import type { Model, ModelStatement, PropertyValue } from "../model/model.ts";
import type { ModelKind } from "../model/model-kind.ts";
import { canonicalStatement } from "../sql/canonical.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import { propertyClass } from "./property-class.ts";

/** A model's own data, part by part: equal parts mean that nothing of that sort was changed. */
export interface DefinitionParts {
  readonly kind: Json;
  readonly seed: Json;
  readonly query: Json;
  readonly statements: Json;
  readonly columns: Json;
  readonly partitioning: Json;
  /** Physical properties that an object can't be given afterwards, by key. */
  readonly storage: { readonly [key: string]: Json };
  readonly stamp: Json;
}

/** Needs no server: `*` is not expanded, names of parents stand as they were written. */
export function definitionParts(model: Model, parser: SqlParser): DefinitionParts {
  return {
    kind: model.kind.kind,
    seed: seedPart(model.kind),
    query: model.query === null ? null : canonicalText(model.query.expanded, parser),
    statements: [statementParts(model.preStatements, parser), statementParts(model.postStatements, parser)],
    columns: model.columns?.map(({ name, type }) => [name, canonicalType(type, parser)]) ?? null,
    partitioning: model.partitionedBy.map((expression) => canonicalText(`SELECT (${expression}\n)`, parser)),
    storage: propertiesOf(model, "data"),
    stamp: model.metadata.stamp,
  };
}

/** Physical properties of one class, keys in lower case, values as texts, so that `70` and `'70'` are one. */
export function propertiesOf(model: Model, wanted: "data" | "in_place"): { readonly [key: string]: Json } {
  const chosen = Object.entries(model.physicalProperties)
    .map(([key, value]) => [key.toLowerCase(), plainValue(value)] as const)
    .filter(([key]) => propertyClass(key) === wanted);
  return Object.fromEntries(chosen);
}

function plainValue(value: PropertyValue): Json {
  return typeof value === "object" ? value.map((item) => item.replace(/\s+/gu, " ").trim()) : String(value);
}

function seedPart(kind: ModelKind): Json {
  switch (kind.kind) {
    case "seed":
      // The rows and headers, not the file: moving it is no change.
      return { content: kind.seed.content, columns: kind.seed.columns };
    case "view":
    case "materialized_view":
    case "full":
    case "embedded":
    case "incremental_by_partition":
    case "external":
      return null;
    default:
      return assertNever(kind);
  }
}

function statementParts(statements: readonly ModelStatement[], parser: SqlParser): Json {
  return statements.map((statement) => canonicalText(statement.expanded, parser));
}

/**
 * The canonical tree of every statement in `sql`. A text that this parser refuses stands for itself: it can come from
 * a snapshot that an older version stored, and then equal texts are still equal and others count as changed.
 */
function canonicalText(sql: string, parser: SqlParser): Json {
  const outcome = parser.parse(sql);
  return outcome.ok ? outcome.statements.map((statement) => canonicalStatement(statement.node)) : { text: sql };
}

/** Through the parser, so that `INT`, `integer` and `pg_catalog.int4` are one type. */
function canonicalType(type: string, parser: SqlParser): Json {
  return canonicalText(`SELECT NULL::${type}`, parser);
}
