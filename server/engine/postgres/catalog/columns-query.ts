import type { Query } from "../query.ts";
import type { AclRow } from "./relations-query.ts";

export interface ColumnRow {
  readonly attrelid: number;
  readonly attnum: number;
  readonly attname: string;
  readonly type: string;
  /** As SQL spells it under an empty search_path; null where it is the type's own. */
  readonly collation: string | null;
  readonly attnotnull: boolean;
  readonly atthasdef: boolean;
  readonly comment: string | null;
  readonly acl: readonly AclRow[] | null;
  /** What only the fingerprint needs. */
  readonly default_expr: string | null;
  readonly attidentity: string;
  readonly attgenerated: string;
  /** Null where it is the type's own. */
  readonly attstorage: string | null;
  readonly attcompression: string;
  /** Null where it is the default: -1 up to 16, NULL from 17. */
  readonly attstattarget: number | null;
  readonly attoptions: readonly string[] | null;
}

export function columnsQuery(oids: readonly number[]): Query<ColumnRow> {
  return { text: TEXT, values: [oids] };
}

const TEXT = `
SELECT a.attrelid, a.attnum, a.attname::text AS attname,
       pg_catalog.format_type(a.atttypid, a.atttypmod)             AS type,
       CASE WHEN a.attcollation <> t.typcollation AND a.attcollation <> 0
            THEN a.attcollation::pg_catalog.regcollation::text END AS collation,
       a.attnotnull, a.atthasdef,
       pg_catalog.col_description(a.attrelid, a.attnum)            AS comment,
       CASE WHEN a.attacl IS NOT NULL THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'grantor', pg_catalog.pg_get_userbyid(x.grantor),
                  'grantee', CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(x.grantee)::text END,
                  'privilege_type', x.privilege_type, 'is_grantable', x.is_grantable))
           FROM pg_catalog.aclexplode(a.attacl) x)
       END                                                         AS acl,
       CASE WHEN a.atthasdef THEN (
         SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid)
           FROM pg_catalog.pg_attrdef d
          WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum)
       END                                                         AS default_expr,
       a.attidentity::text AS attidentity, a.attgenerated::text AS attgenerated,
       CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage::text END AS attstorage,
       a.attcompression::text AS attcompression,
       NULLIF(a.attstattarget, -1)::int                            AS attstattarget,
       a.attoptions
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
 WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attrelid, a.attnum`;
