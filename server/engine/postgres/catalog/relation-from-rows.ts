import { compareText, relationName } from "../../../core/base/relation-name.ts";
import type {
  CatalogColumn,
  CatalogIndex,
  CatalogRelation,
  Grant,
  RelationKind,
} from "../../../core/catalog/catalog.ts";
import { fingerprintRelation, type JsonList } from "../../../core/catalog/relation-fingerprint.ts";
import type { ColumnRow } from "./columns-query.ts";
import type { AclRow, DefinedRow, IndexRow, RelationRow } from "./relations-query.ts";

/** Rows of one relation, columns in order of attnum, as the value that core works with. */
export function relationFromRows(row: RelationRow, columns: readonly ColumnRow[]): CatalogRelation {
  const relation: Omit<CatalogRelation, "fingerprint"> = {
    name: relationName(row.nspname, row.relname),
    kind: relationKind(row.relkind),
    owner: row.owner,
    mayAlter: row.may_alter,
    columns: columns.map(columnFromRow),
    options: sorted(row.reloptions ?? []),
    grants: grantsFromRows(row.acl),
    comment: row.comment,
    indexes: sortBy(row.indexes ?? [], (each) => each.relname).map(indexFromRow),
    rules: sorted((row.rules ?? []).map((rule) => rule.name)),
    triggers: sorted((row.triggers ?? []).map((trigger) => trigger.name)),
    definition: row.viewdef,
    populated: row.relkind === "m" ? row.relispopulated : null,
    estimatedRows: row.reltuples < 0 || !HOLDS_ROWS.has(row.relkind) ? null : Math.round(row.reltuples),
    bytes: row.bytes === null ? null : Number(row.bytes),
    extension: row.extension,
  };
  return { ...relation, fingerprint: fingerprintRelation(relation, detailOf(row, columns)) };
}

const HOLDS_ROWS = new Set(["r", "p", "m", "f"]);

const KINDS: Readonly<Record<string, RelationKind>> = {
  r: "table",
  p: "partitioned_table",
  v: "view",
  m: "materialized_view",
  f: "foreign_table",
  S: "sequence",
  i: "index",
  I: "index",
  c: "composite_type",
};

export function relationKind(relkind: string): RelationKind {
  return KINDS[relkind] ?? "other";
}

function columnFromRow(row: ColumnRow): CatalogColumn {
  return {
    name: row.attname,
    type: row.type,
    collation: row.collation,
    notNull: row.attnotnull,
    hasDefault: row.atthasdef,
    comment: row.comment,
    grants: grantsFromRows(row.acl),
  };
}

function indexFromRow(row: IndexRow): CatalogIndex {
  return { name: row.relname, definition: row.indexdef, unique: row.indisunique, valid: row.indisvalid };
}

function grantsFromRows(rows: readonly AclRow[] | null): readonly Grant[] {
  const grants = (rows ?? []).map(
    (row): Grant => ({
      grantor: row.grantor,
      grantee: row.grantee,
      privilege: row.privilege_type,
      grantable: row.is_grantable,
    }),
  );
  return grants.sort(compareGrants);
}

/** Eight privileges for each owner, for each of a thousand relations: comparing makes no text. */
function compareGrants(a: Grant, b: Grant): number {
  return (
    compareText(a.grantee, b.grantee) || compareText(a.privilege, b.privilege) || compareText(a.grantor, b.grantor)
  );
}

function detailOf(row: RelationRow, columns: readonly ColumnRow[]): JsonList {
  return [
    sortBy(row.indexes ?? [], (each) => each.relname).map((each) => [
      each.relname,
      each.indisclustered,
      each.indisreplident,
      each.spcname,
      each.comment,
    ]),
    definedJson(row.rules),
    definedJson(row.triggers),
    definedJson(row.policies),
    definedJson(row.constraints),
    definedJson(row.statistics),
    row.inherits ?? [],
    [row.partbound, row.partkey, row.relpersistence, row.relreplident, row.amname, row.spcname, row.indexdef],
    [row.relrowsecurity, row.relforcerowsecurity],
    columns.map((column) => [
      column.default_expr,
      column.attidentity,
      column.attgenerated,
      column.attstorage,
      column.attcompression,
      column.attstattarget,
      sorted((column.attoptions ?? []).filter(isSettable)),
    ]),
  ];
}

/**
 * PostgreSQL 15.20 puts a counter of its own, `pg_attver=<n>`, among the options of new columns; each create gives
 * another. Whatever begins with `pg_` can't be set by hand, so comparing it would find changes that nobody made.
 */
function isSettable(option: string): boolean {
  return !option.startsWith("pg_");
}

function definedJson(rows: readonly DefinedRow[] | null): JsonList {
  return sortBy(rows ?? [], (row) => row.name).map((row) => [row.name, row.definition, row.state, row.comment]);
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...texts].sort(compareText);
}

function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...items].sort((a, b) => compareText(keyOf(a), keyOf(b)));
}
