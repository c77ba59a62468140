import type { RelationName } from "../../../core/base/relation-name.ts";
import type { Query } from "../query.ts";

export interface RelationOidRow {
  readonly oid: number;
  readonly nspname: string;
  readonly relname: string;
}

/** By catalog rows and not by regclass: that fails where a schema may not be used, this just looks. */
export function relationOidsQuery(names: readonly RelationName[]): Query<RelationOidRow> {
  return { text: TEXT, values: [names.map((name) => name.schema), names.map((name) => name.name)] };
}

const TEXT = `
SELECT c.oid, n.nspname::text AS nspname, c.relname::text AS relname
  FROM (SELECT DISTINCT u.nspname, u.relname
          FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS u(nspname, relname)) w
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.nspname
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.relname`;
