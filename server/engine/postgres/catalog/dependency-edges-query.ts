import type { Query } from "../query.ts";

/** One row of pg_depend that the walk from the roots came across. */
export interface DependencyEdgeRow {
  readonly classid: number;
  readonly objid: number;
  readonly objsubid: number;
  readonly refclassid: number;
  readonly refobjid: number;
  readonly refobjsubid: number;
  readonly deptype: string;
}

/**
 * Everything that a DROP … CASCADE of any of the roots could reach, as edges: down to whatever points at an object,
 * and up from an internal part or an extension member to its owner, which goes as well. A node with objsubid 0 stands
 * for every column; a node that is one column matches only that column.
 *
 * The walk is a superset over all roots at once, in one pass; `walkClosure` finds each root's own closure in it.
 * UNION, never UNION ALL, and no path or depth in the row: with either, a straight chain of 100 views doesn't end,
 * since each edge is a row per column used and the paths multiply.
 */
export function dependencyEdgesQuery(roots: readonly number[]): Query<DependencyEdgeRow> {
  return { text: TEXT, values: [roots] };
}

/** Begins with SELECT, so that whoever reads the server's log sees at once that planning only reads. */
const TEXT = `
SELECT e.classid, e.objid, e.objsubid, e.refclassid, e.refobjid, e.refobjsubid, e.deptype
  FROM (
    WITH RECURSIVE walk(classid, objid, objsubid) AS (
      SELECT 'pg_catalog.pg_class'::pg_catalog.regclass::oid, r.oid, 0
        FROM pg_catalog.unnest($1::oid[]) AS r(oid)
      UNION
      SELECT s.classid, s.objid, s.objsubid
        FROM walk w
       CROSS JOIN LATERAL (
         SELECT d.classid, d.objid, d.objsubid
           FROM pg_catalog.pg_depend d
          WHERE d.refclassid = w.classid AND d.refobjid = w.objid
            AND (w.objsubid = 0 OR d.refobjsubid = w.objsubid)
         UNION ALL
         SELECT d.refclassid, d.refobjid, d.refobjsubid
           FROM pg_catalog.pg_depend d
          WHERE d.classid = w.classid AND d.objid = w.objid
            AND (w.objsubid = 0 OR d.objsubid = w.objsubid)
            AND d.deptype IN ('i', 'e')
       ) s
    ), object AS (
      SELECT DISTINCT w.classid, w.objid FROM walk w
    )
    SELECT d.classid, d.objid, d.objsubid, d.refclassid, d.refobjid, d.refobjsubid, d.deptype::text AS deptype
      FROM object o
      -- edges up are among these as well: where they lead to has been walked
      JOIN pg_catalog.pg_depend d ON d.refclassid = o.classid AND d.refobjid = o.objid
  ) e`;
