import type { Query } from "../query.ts";
import { UNKNOWN_TYPE, type UnknownColumn } from "./create-stubs.ts";

/** A view that reads a column of an unknown type, or that has such a column itself. */
export interface UnknownUseRow {
  readonly nspname: string;
  readonly relname: string;
  /** Index into the columns that were asked about; null for a column of the view's own. */
  readonly position: number | null;
}

/**
 * The server records for each view exactly which columns its query names, wherever they stand in it, `*` and USING
 * included: a view without such an edge has the same columns whatever the unknown type is.
 */
export function unknownUsesQuery(columns: readonly UnknownColumn[]): Query<UnknownUseRow> {
  const values = [
    columns.map((each) => each.relation.schema),
    columns.map((each) => each.relation.name),
    columns.map((each) => each.column),
    UNKNOWN_TYPE.schema,
    UNKNOWN_TYPE.name,
  ];
  return { text: TEXT, values };
}

const TEXT = `
SELECT vn.nspname::text AS nspname, v.relname::text AS relname, (u.position - 1)::int AS position
  FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[]))
         WITH ORDINALITY AS u(nspname, relname, attname, position)
  JOIN pg_catalog.pg_namespace n ON n.nspname = u.nspname
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = u.relname
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = u.attname
  JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                             AND d.refobjid = c.oid AND d.refobjsubid = a.attnum
                             AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
  JOIN pg_catalog.pg_class v ON v.oid = r.ev_class
  JOIN pg_catalog.pg_namespace vn ON vn.oid = v.relnamespace
UNION
SELECT vn.nspname::text, v.relname::text, NULL::int
  FROM pg_catalog.pg_type t
  JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
  JOIN pg_catalog.pg_attribute a ON a.atttypid IN (t.oid, t.typarray) AND a.attnum > 0
  JOIN pg_catalog.pg_class v ON v.oid = a.attrelid AND v.relkind = 'v'
  JOIN pg_catalog.pg_namespace vn ON vn.oid = v.relnamespace
 WHERE tn.nspname = $4 AND t.typname = $5
 ORDER BY 1, 2, 3`;
