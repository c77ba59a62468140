import type { Query } from "../query.ts";

/** Who uses a relation directly, as the catalog has it. A view counts itself, not its `_RETURN` rule. */
export interface UseOfRelationRow {
  readonly catalog: string;
  readonly oid: number;
  /** Numbers of the columns. */
  readonly places: readonly number[] | null;
  /** Built on the row type, or calling a function that returns it. */
  readonly by_row_type: boolean;
}

export function usesOfRelationQuery(oid: number): Query<UseOfRelationRow> {
  return { text: TEXT, values: [oid] };
}

const TEXT = `
WITH row_type AS (
  SELECT t.oid, t.typarray FROM pg_catalog.pg_type t WHERE t.typrelid = $1
), types AS (
  SELECT r.oid FROM row_type r UNION ALL SELECT r.typarray FROM row_type r
), d AS (
  SELECT d.classid, d.objid, d.refobjsubid AS place, false AS by_row_type
    FROM pg_catalog.pg_depend d
   WHERE d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = $1
  UNION ALL
  SELECT d.classid, d.objid, 0, true
    FROM types t
    JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.refobjid = t.oid
  UNION ALL
  SELECT d.classid, d.objid, 0, true
    FROM types t
    JOIN pg_catalog.pg_proc p ON p.prorettype = t.oid
    JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid = p.oid
)
SELECT u.catalog, u.oid, pg_catalog.array_agg(DISTINCT u.place) FILTER (WHERE u.place > 0) AS places,
       pg_catalog.bool_or(u.by_row_type) AS by_row_type
  FROM (SELECT CASE WHEN r.rulename = '_RETURN' THEN 'pg_class' ELSE c.relname::text END AS catalog,
               CASE WHEN r.rulename = '_RETURN' THEN r.ev_class ELSE d.objid END AS oid, d.place, d.by_row_type
          FROM d
          JOIN pg_catalog.pg_class c ON c.oid = d.classid
          LEFT JOIN pg_catalog.pg_rewrite r
                 ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND r.oid = d.objid) u
 GROUP BY u.catalog, u.oid`;
