import type { RelationName } from "../../../core/base/relation-name.ts";
import type { Query } from "../query.ts";

/** What must be known of a relation to lock it, and to see afterwards whether locking it changed anything. */
export interface LockableRow {
  readonly oid: number;
  readonly relkind: string;
  readonly owner: string;
  readonly may_alter: boolean;
  /** The row version was written by this very transaction. */
  readonly written_by_us: boolean;
  /** The transaction that wrote the row version. */
  readonly xmin: string;
  readonly columns: readonly string[];
}

export function lockableQuery(relation: RelationName): Query<LockableRow> {
  return { text: TEXT, values: [relation.schema, relation.name] };
}

const TEXT = `
SELECT c.oid, c.relkind::text AS relkind, pg_catalog.pg_get_userbyid(c.relowner)::text AS owner,
       pg_catalog.pg_has_role(current_user, c.relowner, 'USAGE') AS may_alter,
       COALESCE(c.xmin = pg_catalog.pg_current_xact_id_if_assigned()::xid, false) AS written_by_us,
       c.xmin::text AS xmin,
       ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = $1 AND c.relname = $2`;
