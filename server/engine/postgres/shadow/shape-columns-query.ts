import type { RelationName } from "../../../core/base/relation-name.ts";
import type { Query } from "../query.ts";

/** Only pg_attribute is asked: describing a query would expand the whole stack of views below it. */
export interface ShapeColumnRow {
  readonly nspname: string;
  readonly relname: string;
  readonly attname: string;
  readonly type: string;
  readonly collation: string | null;
}

/** In the order of the columns of each relation. */
export function shapeColumnsQuery(relations: readonly RelationName[]): Query<ShapeColumnRow> {
  return { text: TEXT, values: [relations.map((each) => each.schema), relations.map((each) => each.name)] };
}

const TEXT = `
SELECT n.nspname::text AS nspname, c.relname::text AS relname, a.attname::text AS attname,
       pg_catalog.format_type(a.atttypid, a.atttypmod)             AS type,
       CASE WHEN a.attcollation <> t.typcollation AND a.attcollation <> 0
            THEN a.attcollation::pg_catalog.regcollation::text END AS collation
  FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w(nspname, relname)
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.nspname
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.relname
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
 ORDER BY n.nspname, c.relname, a.attnum`;
