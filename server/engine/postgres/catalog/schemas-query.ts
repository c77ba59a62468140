import type { Query } from "../query.ts";

export interface SchemaRow {
  readonly nspname: string;
  readonly owner: string;
  readonly may_create: boolean;
  readonly may_use: boolean;
}

export function schemasQuery(names: readonly string[]): Query<SchemaRow> {
  return { text: TEXT, values: [names] };
}

const TEXT = `
SELECT n.nspname::text                                       AS nspname,
       pg_catalog.pg_get_userbyid(n.nspowner)::text          AS owner,
       pg_catalog.has_schema_privilege(n.oid, 'CREATE')      AS may_create,
       pg_catalog.has_schema_privilege(n.oid, 'USAGE')       AS may_use
  FROM pg_catalog.pg_namespace n
 WHERE n.nspname = ANY ($1::text[])`;
