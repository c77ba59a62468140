import type { Query } from "../query.ts";

export interface ServerFactsRow {
  readonly server_version_num: number;
  readonly current_database: string;
  readonly current_user: string;
  readonly rolsuper: boolean;
  readonly may_create_schemas: boolean;
  readonly deadlock_timeout_ms: number;
  readonly lock_slots: number;
  readonly internal_tables: number;
}

/** `current_user` is the role after SET ROLE: the one whose rights count. */
export function serverFactsQuery(internalSchema: string, internalTables: readonly string[]): Query<ServerFactsRow> {
  return { text: TEXT, values: [internalSchema, internalTables] };
}

const TEXT = `
SELECT pg_catalog.current_setting('server_version_num')::int                    AS server_version_num,
       pg_catalog.current_database()::text                                      AS current_database,
       current_user::text                                                       AS current_user,
       r.rolsuper,
       pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') AS may_create_schemas,
       -- pg_settings gives milliseconds where SHOW gives '1s'
       (SELECT s.setting::int FROM pg_catalog.pg_settings s WHERE s.name = 'deadlock_timeout') AS deadlock_timeout_ms,
       pg_catalog.current_setting('max_locks_per_transaction')::int
         * (pg_catalog.current_setting('max_connections')::int
            + pg_catalog.current_setting('max_prepared_transactions')::int)     AS lock_slots,
       (SELECT pg_catalog.count(*)::int
          FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = ANY ($2::text[]) AND c.relkind = 'r') AS internal_tables
  FROM pg_catalog.pg_roles r
 WHERE r.rolname = current_user`;
