import type { Query } from "../query.ts";

/** What must be known of an object in a closure to name it and to say what would have to be done about it. */
export interface DependencyNodeRow {
  readonly classid: number;
  readonly objid: number;
  readonly objsubid: number;
  /** Name of the system catalog that holds it: `pg_class`, `pg_rewrite`, … */
  readonly catalog: string;
  /** The relation that a rule, trigger, policy, default or constraint is on. */
  readonly host_oid: number | null;
  readonly host_schema: string | null;
  readonly host_name: string | null;
  readonly host_kind: string | null;
  /** `type`, `schema` and `identity` as pg_identify_object gives them. */
  readonly type: string | null;
  readonly schema: string | null;
  /** The schema's bare name: pg_identify_object quotes it where needed. */
  readonly nspname: string | null;
  readonly identity: string | null;
  /** The bare name, where the identity holds more than it. */
  readonly own_name: string | null;
  readonly owner: string | null;
  readonly relkind: string | null;
  readonly foreign_temp: boolean;
  readonly prokind: string | null;
  readonly contype: string | null;
  readonly generated: boolean;
  /** Only for columns. */
  readonly attname: string | null;
}

export interface NodeAddress {
  readonly classid: number;
  readonly objid: number;
  readonly objsubid: number;
}

/** For units only: three of four nodes are parts, and naming those too would cost more than the whole walk. */
export function dependencyNodesQuery(nodes: readonly NodeAddress[]): Query<DependencyNodeRow> {
  const values = [nodes.map((n) => n.classid), nodes.map((n) => n.objid), nodes.map((n) => n.objsubid)];
  return { text: TEXT, values };
}

const TEXT = `
SELECT k.classid, k.objid, k.objsubid, k.catalog, k.host_oid, hn.nspname::text AS host_schema, h.relname::text AS host_name, h.relkind::text AS host_kind,
       i.type, i.schema, kn.nspname::text AS nspname, i.identity, k.own_name::text AS own_name,
       pg_catalog.pg_get_userbyid(COALESCE(k.owner, h.relowner))::text AS owner,
       k.relkind, k.foreign_temp, k.prokind, k.contype, k.generated, k.attname::text AS attname
  FROM (
    SELECT n.classid, n.objid, n.objsubid, cat.relname::text AS catalog,
           COALESCE(r.ev_class, ad.adrelid, NULLIF(con.conrelid, 0), tg.tgrelid, po.polrelid) AS host_oid,
           COALESCE(c.relname, r.rulename, con.conname, tg.tgname, po.polname, sx.stxname, da.attname,
                    t.typname, x.extname)                                                 AS own_name,
           COALESCE(c.relowner, p.proowner, t.typowner, sx.stxowner, x.extowner, op.oprowner) AS owner,
           COALESCE(c.relnamespace, p.pronamespace, t.typnamespace, sx.stxnamespace, op.oprnamespace) AS namespace,
           c.relkind::text AS relkind,
           COALESCE(pg_catalog.pg_is_other_temp_schema(c.relnamespace), false)            AS foreign_temp,
           p.prokind::text AS prokind, con.contype::text AS contype,
           COALESCE(da.attgenerated <> '', false)                                         AS generated,
           a.attname
      FROM ROWS FROM (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::oid[]), pg_catalog.unnest($3::int[])) AS n(classid, objid, objsubid)
      JOIN pg_catalog.pg_class cat ON cat.oid = n.classid
      LEFT JOIN pg_catalog.pg_class c ON n.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND c.oid = n.objid
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = n.objsubid AND n.objsubid > 0
      LEFT JOIN pg_catalog.pg_rewrite r ON n.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND r.oid = n.objid
      LEFT JOIN pg_catalog.pg_proc p ON n.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND p.oid = n.objid
      LEFT JOIN pg_catalog.pg_type t ON n.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND t.oid = n.objid
      LEFT JOIN pg_catalog.pg_attrdef ad ON n.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND ad.oid = n.objid
      LEFT JOIN pg_catalog.pg_attribute da ON da.attrelid = ad.adrelid AND da.attnum = ad.adnum
      LEFT JOIN pg_catalog.pg_constraint con ON n.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass AND con.oid = n.objid
      LEFT JOIN pg_catalog.pg_trigger tg ON n.classid = 'pg_catalog.pg_trigger'::pg_catalog.regclass AND tg.oid = n.objid
      LEFT JOIN pg_catalog.pg_policy po ON n.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND po.oid = n.objid
      LEFT JOIN pg_catalog.pg_statistic_ext sx ON n.classid = 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass AND sx.oid = n.objid
      LEFT JOIN pg_catalog.pg_extension x ON n.classid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND x.oid = n.objid
      LEFT JOIN pg_catalog.pg_operator op ON n.classid = 'pg_catalog.pg_operator'::pg_catalog.regclass AND op.oid = n.objid
  ) k
  LEFT JOIN pg_catalog.pg_class h ON h.oid = k.host_oid
  LEFT JOIN pg_catalog.pg_namespace hn ON hn.oid = h.relnamespace
  LEFT JOIN pg_catalog.pg_namespace kn ON kn.oid = k.namespace
  CROSS JOIN LATERAL pg_catalog.pg_identify_object(k.classid, k.objid, k.objsubid) i`;
