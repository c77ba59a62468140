import { relationName } from "../../../core/base/relation-name.ts";
import type {
  CapturedColumn,
  CapturedMaterializedView,
  CapturedRowType,
  CapturedStoredColumn,
  CapturedView,
  SecurityLabel,
} from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, explodedSql, extensionsSql, labelsSql } from "./attached-sql.ts";
import { type Found, type GrantCells, grantsFrom, labelsFrom, sortedTexts, spelled, withoutEnd } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

/** Views and materialized views, with their columns and their row types. */
export async function readStoredQueries(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(storedQueriesQuery(wanted));
  return rows.map((row) => ({
    captured: row.relkind === "m" ? materializedView(row, wanted) : view(row, wanted),
    catalog: "pg_class",
    oid: row.oid,
  }));
}

interface StoredQueryRow {
  readonly n: string;
  readonly oid: number;
  readonly relkind: string;
  readonly nspname: string;
  readonly relname: string;
  readonly owner: string;
  readonly comment: string | null;
  readonly labels: readonly SecurityLabel[] | null;
  readonly reloptions: readonly string[] | null;
  readonly viewdef: string;
  readonly grants: readonly GrantCells[] | null;
  readonly type_comment: string | null;
  readonly type_labels: readonly SecurityLabel[] | null;
  readonly type_grants: readonly GrantCells[] | null;
  readonly columns: readonly ColumnCells[] | null;
  readonly extensions: readonly string[] | null;
  readonly toast_options: readonly string[] | null;
  readonly amname: string | null;
  readonly spcname: string | null;
  readonly relispopulated: boolean;
  readonly relreplident: string;
  readonly bytes: string | null;
  readonly reltuples: number;
}

/** In the order of `json_build_array` below. */
type ColumnCells = readonly [
  name: string,
  type: string,
  collation: string | null,
  comment: string | null,
  grants: readonly GrantCells[] | null,
  labels: readonly SecurityLabel[] | null,
  defaultExpression: string | null,
  storage: string | null,
  compression: string,
  statisticsTarget: number | null,
  options: readonly string[] | null,
];

function view(row: StoredQueryRow, wanted: readonly Wanted[]): CapturedView {
  return {
    kind: "view",
    object: wantedOf(wanted, row.n),
    relation: relationName(row.nspname, row.relname),
    owner: row.owner,
    comment: row.comment,
    labels: labelsFrom(row.labels),
    extensions: [],
    columns: (row.columns ?? []).map(column),
    options: sortedTexts(row.reloptions),
    definition: withoutEnd(row.viewdef),
    grants: grantsFrom(row.grants),
    rowType: rowType(row),
  };
}

function materializedView(row: StoredQueryRow, wanted: readonly Wanted[]): CapturedMaterializedView {
  return {
    ...view(row, wanted),
    kind: "materialized_view",
    extensions: sortedTexts(row.extensions),
    columns: (row.columns ?? []).map(storedColumn),
    toastOptions: sortedTexts(row.toast_options),
    accessMethod: row.amname ?? "heap",
    tablespace: row.spcname,
    populated: row.relispopulated,
    replicaIdentity: spelled(REPLICA_IDENTITIES, row.relreplident),
    bytes: Number(row.bytes ?? 0),
    estimatedRows: row.reltuples < 0 ? null : Math.round(row.reltuples),
  };
}

function rowType(row: StoredQueryRow): CapturedRowType {
  return { comment: row.type_comment, grants: grantsFrom(row.type_grants), labels: labelsFrom(row.type_labels) };
}

function column([name, type, collation, comment, grants, labels, defaultExpression]: ColumnCells): CapturedColumn {
  return {
    name,
    type,
    collation,
    comment,
    grants: grantsFrom(grants),
    labels: labelsFrom(labels),
    defaultExpression,
  };
}

function storedColumn(cells: ColumnCells): CapturedStoredColumn {
  const [, , , , , , , storage, compression, statisticsTarget, options] = cells;
  return {
    ...column(cells),
    storage: storage === null ? null : spelled(STORAGES, storage),
    compression: compression === "" ? null : spelled(COMPRESSIONS, compression),
    statisticsTarget,
    options: sortedTexts(options?.filter((option) => !isServersOwn(option)) ?? null),
  };
}

/** PostgreSQL 15.20 counts the making of columns in an option of its own, `pg_attver=<n>`, which nobody can set. */
function isServersOwn(option: string): boolean {
  return option.startsWith("pg_");
}

const REPLICA_IDENTITIES: Readonly<Record<string, CapturedMaterializedView["replicaIdentity"]>> = {
  d: "default",
  f: "full",
  n: "nothing",
  i: "using_index",
};

const STORAGES: Readonly<Record<string, string>> = { p: "PLAIN", e: "EXTERNAL", x: "EXTENDED", m: "MAIN" };

const COMPRESSIONS: Readonly<Record<string, string>> = { p: "pglz", l: "lz4" };

function storedQueriesQuery(wanted: readonly Wanted[]): Query<StoredQueryRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/**
 * Access lists are compared as they are and spelled out once each; columns go as arrays of cells: a thousand views have
 * ten thousand of them. Sizes take ACCESS SHARE and touch the disk, so only of what holds rows.
 */
const TEXT = `
WITH c AS MATERIALIZED (
  SELECT w.n, c.oid, c.relkind, n.nspname, c.relname, c.relowner, c.reltype, c.reloptions, c.relam, c.reltablespace,
         c.reltoastrelid, c.relispopulated, c.relreplident, c.reltuples,
         COALESCE(c.relacl, pg_catalog.acldefault('r', c.relowner)) AS acl,
         COALESCE(t.typacl, pg_catalog.acldefault('T', t.typowner)) AS type_acl
    FROM ${WANTED}
    JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
    JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.own AND c.relkind = w.detail::"char"
    JOIN pg_catalog.pg_type t ON t.oid = c.reltype
   WHERE NOT pg_catalog.pg_is_other_temp_schema(n.oid)
), a AS MATERIALIZED (
  SELECT a.attrelid, a.attnum, a.attname, a.attacl, a.attcompression, a.attoptions, a.atthasdef,
         pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
         CASE WHEN a.attcollation <> t.typcollation AND a.attcollation <> 0
              THEN a.attcollation::pg_catalog.regcollation::text END AS collation,
         CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage END AS storage,
         NULLIF(a.attstattarget, -1) AS target
    FROM c
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
), g AS MATERIALIZED (
  ${explodedSql(`SELECT acl FROM c UNION SELECT type_acl FROM c UNION SELECT attacl FROM a WHERE attacl IS NOT NULL`)}
), l AS MATERIALIZED (
  SELECT s.objoid, s.objsubid,
         pg_catalog.json_agg(pg_catalog.json_build_object('provider', s.provider, 'label', s.label)) AS labels
    FROM pg_catalog.pg_seclabel s
   WHERE s.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND s.objoid IN (SELECT c.oid FROM c)
   GROUP BY s.objoid, s.objsubid
), k AS MATERIALIZED (
  SELECT a.attrelid,
         pg_catalog.json_agg(pg_catalog.json_build_array(
           a.attname, a.type, a.collation, d.description, g.grants, l.labels,
           CASE WHEN a.atthasdef THEN (
             SELECT pg_catalog.pg_get_expr(ad.adbin, ad.adrelid)
               FROM pg_catalog.pg_attrdef ad
              WHERE ad.adrelid = a.attrelid AND ad.adnum = a.attnum) END,
           a.storage, a.attcompression, a.target, a.attoptions) ORDER BY a.attnum) AS columns
    FROM a
    LEFT JOIN pg_catalog.pg_description d
           ON d.objoid = a.attrelid AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid = a.attnum
    LEFT JOIN g ON g.acl = a.attacl
    LEFT JOIN l ON l.objoid = a.attrelid AND l.objsubid = a.attnum
   GROUP BY a.attrelid
)
SELECT c.n, c.oid, c.relkind::text AS relkind, c.nspname::text AS nspname, c.relname::text AS relname,
       pg_catalog.pg_get_userbyid(c.relowner)::text AS owner,
       ${commentSql("pg_class", "c.oid")} AS comment,
       l.labels, c.reloptions, pg_catalog.pg_get_viewdef(c.oid) AS viewdef, g.grants,
       ${commentSql("pg_type", "c.reltype")} AS type_comment,
       ${labelsSql("pg_type", "c.reltype")} AS type_labels,
       tg.grants AS type_grants, k.columns,
       CASE WHEN c.relkind = 'm' THEN ${extensionsSql("pg_class", "c.oid")} END AS extensions,
       tc.reloptions AS toast_options, am.amname::text AS amname, ts.spcname::text AS spcname,
       c.relispopulated, c.relreplident::text AS relreplident,
       CASE WHEN c.relkind = 'm' THEN pg_catalog.pg_total_relation_size(c.oid) END AS bytes,
       c.reltuples
  FROM c
  LEFT JOIN g ON g.acl = c.acl
  LEFT JOIN g tg ON tg.acl = c.type_acl
  LEFT JOIN l ON l.objoid = c.oid AND l.objsubid = 0
  LEFT JOIN k ON k.attrelid = c.oid
  LEFT JOIN pg_catalog.pg_class tc ON tc.oid = c.reltoastrelid
  LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
  LEFT JOIN pg_catalog.pg_tablespace ts ON ts.oid = c.reltablespace`;
