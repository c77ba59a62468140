import { relationName } from "../../../core/base/relation-name.ts";
import type { CapturedIndex } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, extensionsSql } from "./attached-sql.ts";
import { type Found, sortedTexts } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

export async function readIndexes(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(indexesQuery(wanted));
  return rows.map((row) => ({ captured: index(row, wanted), catalog: "pg_class", oid: row.oid }));
}

interface IndexRow {
  readonly n: string;
  readonly oid: number;
  readonly nspname: string;
  readonly relname: string;
  readonly host_schema: string;
  readonly host_name: string;
  readonly owner: string;
  readonly comment: string | null;
  readonly extensions: readonly string[];
  readonly definition: string;
  readonly spcname: string | null;
  readonly indisclustered: boolean;
  readonly indisreplident: boolean;
  readonly targets: CapturedIndex["statisticsTargets"] | null;
}

function index(row: IndexRow, wanted: readonly Wanted[]): CapturedIndex {
  return {
    kind: "index",
    object: wantedOf(wanted, row.n),
    index: relationName(row.nspname, row.relname),
    on: relationName(row.host_schema, row.host_name),
    owner: row.owner,
    comment: row.comment,
    labels: [],
    extensions: sortedTexts(row.extensions),
    definition: row.definition,
    tablespace: row.spcname,
    clustered: row.indisclustered,
    replicaIdentity: row.indisreplident,
    statisticsTargets: row.targets ?? [],
  };
}

function indexesQuery(wanted: readonly Wanted[]): Query<IndexRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/**
 * Not those of partitioned tables, whose parts would have to be attached again, and not those of constraints, which
 * come and go with them. Of an index only columns that are expressions can have a statistics target.
 */
const TEXT = `
SELECT w.n, c.oid, n.nspname::text AS nspname, c.relname::text AS relname,
       hn.nspname::text AS host_schema, h.relname::text AS host_name,
       pg_catalog.pg_get_userbyid(c.relowner)::text AS owner,
       ${commentSql("pg_class", "c.oid")} AS comment,
       ${extensionsSql("pg_class", "c.oid")} AS extensions,
       pg_catalog.pg_get_indexdef(c.oid) AS definition, ts.spcname::text AS spcname,
       i.indisclustered, i.indisreplident,
       (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('column', a.attnum, 'target', a.attstattarget)
                                   ORDER BY a.attnum)
          FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = c.oid AND NULLIF(a.attstattarget, -1) IS NOT NULL) AS targets
  FROM ${WANTED}
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.own AND c.relkind = 'i' AND NOT c.relispartition
  JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
  JOIN pg_catalog.pg_class h ON h.oid = i.indrelid
  JOIN pg_catalog.pg_namespace hn ON hn.oid = h.relnamespace
  LEFT JOIN pg_catalog.pg_tablespace ts ON ts.oid = c.reltablespace
 WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.objsubid = 0
                      AND d.refclassid = 'pg_catalog.pg_constraint'::pg_catalog.regclass AND d.deptype = 'i')`;
