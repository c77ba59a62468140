/**
 * What hangs on objects of every kind, as sub-selects for a list of columns. `oid` is an SQL expression, `catalog` the
 * name of the catalog that it is a row of.
 */
export function commentSql(catalog: string, oid: string): string {
  return `(SELECT pd.description FROM pg_catalog.pg_description pd
            WHERE pd.objoid = ${oid} AND pd.classoid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND pd.objsubid = 0)`;
}

/** Only relations, columns, types and routines can have any. */
export function labelsSql(catalog: string, oid: string): string {
  return `(SELECT pg_catalog.json_agg(pg_catalog.json_build_object('provider', sl.provider, 'label', sl.label))
             FROM pg_catalog.pg_seclabel sl
            WHERE sl.objoid = ${oid} AND sl.classoid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND sl.objsubid = 0)`;
}

/** ALTER … DEPENDS ON EXTENSION: materialized views, indexes, routines and triggers take it. */
export function extensionsSql(catalog: string, oid: string): string {
  return `ARRAY(SELECT xe.extname::text
                  FROM pg_catalog.pg_depend xd
                  JOIN pg_catalog.pg_extension xe ON xe.oid = xd.refobjid
                 WHERE xd.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND xd.objid = ${oid} AND xd.objsubid = 0
                   AND xd.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND xd.deptype = 'x')`;
}

/** For rules, triggers, policies, defaults and checks: their host, and whose it is. */
export const HOST_SQL = `h.relkind::text AS host_kind, n.nspname::text AS host_schema, h.relname::text AS host_name,
       pg_catalog.pg_get_userbyid(h.relowner)::text AS owner`;

/** The host of each wanted object, as `h` in the schema `n`. */
export const JOIN_HOST_SQL = `
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_class h ON h.relnamespace = n.oid AND h.relname = w.detail AND h.relkind IN ('r', 'p', 'v', 'm', 'f')`;
