import { relationName } from "../../../core/base/relation-name.ts";
import type {
  CapturedColumn,
  CapturedMaterializedView,
  CapturedStoredColumn,
  CapturedView,
  SecurityLabel,
} from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, extensionsSql, labelsSql } from "./attached-sql.ts";
import { type Found, labelsFrom, sortedTexts, spelled, withoutEnd } from "./found.ts";
import { type GrantsIn, readGrants } from "./read-grants.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

/** Views and materialized views, with their columns and their row types. */
export async function readStoredQueries(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(storedQueriesQuery(wanted));
  const grantsIn = await readGrants(run, rows.flatMap(accessLists));
  return rows.map((row) => ({
    captured: row.relkind === "m" ? materializedView(row, wanted, grantsIn) : view(row, wanted, grantsIn),
    catalog: "pg_class",
    oid: row.oid,
  }));
}

function accessLists(row: StoredQueryRow): readonly (string | null)[] {
  return [row.acl, row.type_acl, ...(row.columns ?? []).map(([, , , , acl]) => acl)];
}

interface StoredQueryRow {
  readonly n: string;
  readonly oid: number;
  readonly relkind: string;
  readonly nspname: string;
  readonly relname: string;
  readonly owner: string;
  /** By attnum, its own under 0. */
  readonly comments: Readonly<Record<string, string>> | null;
  /** Its own and those of its columns. */
  readonly labels: readonly LabelCells[] | null;
  readonly reloptions: readonly string[] | null;
  readonly viewdef: string;
  readonly acl: string;
  readonly type_comment: string | null;
  readonly type_labels: readonly SecurityLabel[] | null;
  readonly type_acl: string;
  readonly columns: readonly (ColumnCells | StoredColumnCells)[] | null;
  /** From here on null for plain views, or without meaning. */
  readonly extensions: readonly string[] | null;
  readonly toast_options: readonly string[] | null;
  readonly amname: string | null;
  readonly spcname: string | null;
  readonly relispopulated: boolean;
  readonly relreplident: string;
  readonly bytes: string | null;
  readonly reltuples: number;
}

/** In the order of the SQL below. */
type ColumnCells = readonly [
  attnum: number,
  name: string,
  type: string,
  collation: string | null,
  acl: string | null,
  defaultExpression: string | null,
];

type StoredColumnCells = readonly [
  ...ColumnCells,
  storage: string | null,
  compression: string,
  statisticsTarget: number | null,
  options: readonly string[] | null,
];

type LabelCells = SecurityLabel & { readonly column: number };

function view(row: StoredQueryRow, wanted: readonly Wanted[], grantsIn: GrantsIn): CapturedView {
  return {
    kind: "view",
    object: wantedOf(wanted, row.n),
    relation: relationName(row.nspname, row.relname),
    owner: row.owner,
    comment: row.comments?.[0] ?? null,
    labels: labelsOf(row, 0),
    extensions: [],
    columns: (row.columns ?? []).map((cells) => column(row, cells, grantsIn)),
    options: sortedTexts(row.reloptions),
    definition: withoutEnd(row.viewdef),
    grants: grantsIn(row.acl),
    rowType: { comment: row.type_comment, grants: grantsIn(row.type_acl), labels: labelsFrom(row.type_labels) },
  };
}

function materializedView(
  row: StoredQueryRow,
  wanted: readonly Wanted[],
  grantsIn: GrantsIn,
): CapturedMaterializedView {
  return {
    ...view(row, wanted, grantsIn),
    kind: "materialized_view",
    extensions: sortedTexts(row.extensions),
    columns: (row.columns ?? []).map((cells) => storedColumn(row, cells, grantsIn)),
    toastOptions: sortedTexts(row.toast_options),
    accessMethod: row.amname ?? "heap",
    tablespace: row.spcname,
    populated: row.relispopulated,
    replicaIdentity: spelled(REPLICA_IDENTITIES, row.relreplident),
    bytes: Number(row.bytes ?? 0),
    estimatedRows: row.reltuples < 0 ? null : Math.round(row.reltuples),
  };
}

function column(
  row: StoredQueryRow,
  [attnum, name, type, collation, acl, defaultExpression]: ColumnCells | StoredColumnCells,
  grantsIn: GrantsIn,
): CapturedColumn {
  return {
    name,
    type,
    collation,
    comment: row.comments?.[attnum] ?? null,
    grants: grantsIn(acl),
    labels: labelsOf(row, attnum),
    defaultExpression,
  };
}

function storedColumn(
  row: StoredQueryRow,
  cells: ColumnCells | StoredColumnCells,
  grantsIn: GrantsIn,
): CapturedStoredColumn {
  const [, , , , , , storage = null, compression = "", statisticsTarget = null, options = null] = cells;
  return {
    ...column(row, cells, grantsIn),
    storage: storage === null ? null : spelled(STORAGES, storage),
    compression: compression === "" ? null : spelled(COMPRESSIONS, compression),
    statisticsTarget,
    options: sortedTexts(options?.filter((option) => !isServersOwn(option)) ?? null),
  };
}

function labelsOf(row: StoredQueryRow, attnum: number): readonly SecurityLabel[] {
  if (row.labels === null) return NO_LABELS;
  const own = row.labels.filter((label) => label.column === attnum);
  return labelsFrom(own.map(({ provider, label }) => ({ provider, label })));
}

const NO_LABELS: readonly SecurityLabel[] = [];

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

/** Text types have the default collation as their own; for all others the type is asked. */
const COLUMN_CELLS = `a.attnum, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attcollation <> 0
                 AND NOT (a.attcollation = 'pg_catalog."default"'::pg_catalog.regcollation
                          AND a.atttypid IN ('pg_catalog.text'::pg_catalog.regtype,
                                             'pg_catalog.varchar'::pg_catalog.regtype))
                THEN (SELECT CASE WHEN a.attcollation <> ct.typcollation
                                  THEN a.attcollation::pg_catalog.regcollation::text END
                        FROM pg_catalog.pg_type ct WHERE ct.oid = a.atttypid) END,
           a.attacl::text,
           CASE WHEN a.atthasdef THEN (
             SELECT pg_catalog.pg_get_expr(ad.adbin, ad.adrelid)
               FROM pg_catalog.pg_attrdef ad
              WHERE ad.adrelid = a.attrelid AND ad.adnum = a.attnum) END`;

const STORED_COLUMN_CELLS = `(SELECT CASE WHEN a.attstorage <> st.typstorage THEN a.attstorage END
              FROM pg_catalog.pg_type st WHERE st.oid = a.atttypid),
           a.attcompression, NULLIF(a.attstattarget, -1), a.attoptions`;

function storedQueriesQuery(wanted: readonly Wanted[]): Query<StoredQueryRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/**
 * Nothing but look-ups by index for each relation: the server can't know how many there will be, and joins of what it
 * takes for one row with what it takes for one row went through 1,000 times 1,000. Of 10,000 columns only few have a
 * collation that their type hasn't, so that the type is looked at for those alone. Sizes take ACCESS SHARE and touch the
 * disk, so they are asked only of what holds rows.
 */
const TEXT = `
SELECT w.n, c.oid, c.relkind::text AS relkind, n.nspname::text AS nspname, c.relname::text AS relname,
       pg_catalog.pg_get_userbyid(c.relowner)::text AS owner,
       c.reloptions, pg_catalog.pg_get_viewdef(c.oid) AS viewdef,
       COALESCE(c.relacl, pg_catalog.acldefault('r', c.relowner))::text AS acl,
       COALESCE(t.typacl, pg_catalog.acldefault('T', t.typowner))::text AS type_acl,
       (SELECT pg_catalog.json_object_agg(d.objsubid, d.description)
          FROM pg_catalog.pg_description d
         WHERE d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass) AS comments,
       ${commentSql("pg_type", "c.reltype")} AS type_comment,
       CASE WHEN (SELECT EXISTS (SELECT FROM pg_catalog.pg_seclabel)) THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object('column', s.objsubid, 'provider', s.provider, 'label', s.label))
           FROM pg_catalog.pg_seclabel s
          WHERE s.objoid = c.oid AND s.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass) END AS labels,
       CASE WHEN (SELECT EXISTS (SELECT FROM pg_catalog.pg_seclabel)) THEN
         ${labelsSql("pg_type", "c.reltype")} END AS type_labels,
       (SELECT pg_catalog.json_agg(
                 CASE WHEN c.relkind = 'm' THEN pg_catalog.json_build_array(${COLUMN_CELLS}, ${STORED_COLUMN_CELLS})
                      ELSE pg_catalog.json_build_array(${COLUMN_CELLS}) END ORDER BY a.attnum)
          FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
       CASE WHEN c.relkind = 'm' THEN ${extensionsSql("pg_class", "c.oid")} END AS extensions,
       CASE WHEN c.relkind = 'm' THEN (
         SELECT tc.reloptions FROM pg_catalog.pg_class tc WHERE tc.oid = c.reltoastrelid) END AS toast_options,
       CASE WHEN c.relkind = 'm' THEN (
         SELECT am.amname::text FROM pg_catalog.pg_am am WHERE am.oid = c.relam) END AS amname,
       CASE WHEN c.relkind = 'm' THEN (
         SELECT ts.spcname::text FROM pg_catalog.pg_tablespace ts WHERE ts.oid = c.reltablespace) END AS spcname,
       c.relispopulated, c.relreplident::text AS relreplident,
       CASE WHEN c.relkind = 'm' THEN pg_catalog.pg_total_relation_size(c.oid) END AS bytes,
       c.reltuples
  FROM ${WANTED}
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.own AND c.relkind = w.detail::"char"
  JOIN pg_catalog.pg_type t ON t.oid = c.reltype
 WHERE NOT pg_catalog.pg_is_other_temp_schema(n.oid)`;
