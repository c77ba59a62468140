import type { Query } from "../query.ts";

export interface RelationRow {
  readonly oid: number;
  readonly nspname: string;
  readonly relname: string;
  readonly relkind: string;
  readonly owner: string;
  readonly may_alter: boolean;
  readonly reloptions: readonly string[] | null;
  readonly acl: readonly AclRow[] | null;
  readonly comment: string | null;
  readonly viewdef: string | null;
  readonly relispopulated: boolean;
  /** -1 where it was never analyzed. */
  readonly reltuples: number;
  readonly bytes: string | null;
  readonly extension: string | null;
  readonly indexes: readonly IndexRow[] | null;
  readonly rules: readonly DefinedRow[] | null;
  readonly triggers: readonly DefinedRow[] | null;
  /** What only the fingerprint needs. */
  readonly policies: readonly DefinedRow[] | null;
  readonly constraints: readonly DefinedRow[] | null;
  readonly statistics: readonly DefinedRow[] | null;
  readonly inherits: readonly string[] | null;
  readonly partbound: string | null;
  readonly partkey: string | null;
  readonly relpersistence: string;
  readonly relreplident: string;
  readonly relrowsecurity: boolean;
  readonly relforcerowsecurity: boolean;
  readonly amname: string | null;
  readonly spcname: string | null;
  readonly indexdef: string | null;
}

export interface AclRow {
  readonly grantor: string;
  readonly grantee: string;
  readonly privilege_type: string;
  readonly is_grantable: boolean;
}

export interface IndexRow {
  readonly relname: string;
  readonly indexdef: string;
  readonly indisunique: boolean;
  readonly indisvalid: boolean;
  readonly indisclustered: boolean;
  readonly indisreplident: boolean;
  readonly spcname: string | null;
  readonly comment: string | null;
}

/** A thing on a relation: its name, its definition as the server prints it, and what that text leaves out. */
export interface DefinedRow {
  readonly name: string;
  readonly definition: string;
  readonly state: string | null;
  readonly comment: string | null;
}

export function relationsQuery(oids: readonly number[]): Query<RelationRow> {
  return { text: TEXT, values: [oids] };
}

const hasAcl = (relation: string): string => `${relation}.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')`;

const aclOf = (relation: string): string =>
  `COALESCE(${relation}.relacl, pg_catalog.acldefault(CASE WHEN ${relation}.relkind = 'S' THEN 's' ELSE 'r' END::"char", ${relation}.relowner))`;

/**
 * Definitions are deparsed under the session's empty search_path, so that every name in them is qualified.
 * The relhas… flags spare a look-up a relation; they may be stale-true, never stale-false.
 * Sizes take ACCESS SHARE and touch the disk: only where there are rows.
 * Grants are spelled out once for each list of them, since most relations have their owner's default: for each relation
 * that took 47 of 120 ms for 1,001.
 */
const TEXT = `
SELECT c.oid, n.nspname::text AS nspname, c.relname::text AS relname, c.relkind::text AS relkind,
       pg_catalog.pg_get_userbyid(c.relowner)::text                AS owner,
       pg_catalog.pg_has_role(current_user, c.relowner, 'USAGE')   AS may_alter,
       c.reloptions,
       g.acl,
       pg_catalog.obj_description(c.oid, 'pg_class')               AS comment,
       CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) END AS viewdef,
       c.relispopulated, c.reltuples,
       CASE WHEN c.relkind IN ('r', 'm') THEN pg_catalog.pg_total_relation_size(c.oid) END AS bytes,
       (SELECT x.extname::text
          FROM pg_catalog.pg_depend d
          JOIN pg_catalog.pg_extension x ON x.oid = d.refobjid
         WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.objsubid = 0
           AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.deptype = 'e') AS extension,
       CASE WHEN c.relhasindex THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'relname', ic.relname, 'indexdef', pg_catalog.pg_get_indexdef(i.indexrelid),
                  'indisunique', i.indisunique, 'indisvalid', i.indisvalid, 'indisclustered', i.indisclustered,
                  'indisreplident', i.indisreplident, 'spcname', its.spcname,
                  'comment', pg_catalog.obj_description(i.indexrelid, 'pg_class')))
           FROM pg_catalog.pg_index i
           JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
           LEFT JOIN pg_catalog.pg_tablespace its ON its.oid = ic.reltablespace
          WHERE i.indrelid = c.oid)
       END                                                         AS indexes,
       CASE WHEN c.relhasrules THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'name', r.rulename, 'definition', pg_catalog.pg_get_ruledef(r.oid), 'state', r.ev_enabled,
                  'comment', pg_catalog.obj_description(r.oid, 'pg_rewrite')))
           FROM pg_catalog.pg_rewrite r
          WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN')
       END                                                         AS rules,
       CASE WHEN c.relhastriggers THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'name', t.tgname, 'definition', pg_catalog.pg_get_triggerdef(t.oid), 'state', t.tgenabled,
                  'comment', pg_catalog.obj_description(t.oid, 'pg_trigger')))
           FROM pg_catalog.pg_trigger t
          WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
       END                                                         AS triggers,
       CASE WHEN c.relkind IN ('r', 'p') THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'name', p.polname,
                  'definition', pg_catalog.concat_ws(' ', p.polcmd, p.polpermissive,
                     ARRAY(SELECT pg_catalog.pg_get_userbyid(u.role) FROM pg_catalog.unnest(p.polroles) AS u(role) ORDER BY 1),
                     pg_catalog.pg_get_expr(p.polqual, p.polrelid), '/',
                     pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)),
                  'state', NULL, 'comment', pg_catalog.obj_description(p.oid, 'pg_policy')))
           FROM pg_catalog.pg_policy p
          WHERE p.polrelid = c.oid)
       END                                                         AS policies,
       CASE WHEN c.relkind IN ('r', 'p', 'f') THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'name', k.conname, 'definition', pg_catalog.pg_get_constraintdef(k.oid), 'state', NULL,
                  'comment', pg_catalog.obj_description(k.oid, 'pg_constraint')))
           FROM pg_catalog.pg_constraint k
          WHERE k.conrelid = c.oid)
       END                                                         AS constraints,
       CASE WHEN c.relkind IN ('r', 'p', 'm', 'f') THEN (
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'name', pg_catalog.format('%I.%I', sn.nspname, s.stxname),
                  'definition', pg_catalog.pg_get_statisticsobjdef(s.oid), 'state', NULL,
                  'comment', pg_catalog.obj_description(s.oid, 'pg_statistic_ext')))
           FROM pg_catalog.pg_statistic_ext s
           JOIN pg_catalog.pg_namespace sn ON sn.oid = s.stxnamespace
          WHERE s.stxrelid = c.oid)
       END                                                         AS statistics,
       CASE WHEN c.relkind IN ('r', 'p', 'f') THEN (
         SELECT pg_catalog.array_agg(pg_catalog.format('%I.%I', pn.nspname, pc.relname) ORDER BY h.inhseqno)
           FROM pg_catalog.pg_inherits h
           JOIN pg_catalog.pg_class pc ON pc.oid = h.inhparent
           JOIN pg_catalog.pg_namespace pn ON pn.oid = pc.relnamespace
          WHERE h.inhrelid = c.oid)
       END                                                         AS inherits,
       pg_catalog.pg_get_expr(c.relpartbound, c.oid)               AS partbound,
       CASE WHEN c.relkind = 'p' THEN pg_catalog.pg_get_partkeydef(c.oid) END AS partkey,
       c.relpersistence::text AS relpersistence, c.relreplident::text AS relreplident,
       c.relrowsecurity, c.relforcerowsecurity, am.amname::text AS amname, ts.spcname::text AS spcname,
       CASE WHEN c.relkind IN ('i', 'I') THEN pg_catalog.pg_get_indexdef(c.oid) END AS indexdef
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
  LEFT JOIN pg_catalog.pg_tablespace ts ON ts.oid = c.reltablespace
  LEFT JOIN (
    SELECT d.aclitems,
           pg_catalog.json_agg(pg_catalog.json_build_object(
             'grantor', pg_catalog.pg_get_userbyid(x.grantor),
             'grantee', CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(x.grantee)::text END,
             'privilege_type', x.privilege_type, 'is_grantable', x.is_grantable)) AS acl
      FROM (SELECT DISTINCT ${aclOf("k")} AS aclitems
              FROM pg_catalog.pg_class k
             WHERE k.oid = ANY ($1::oid[]) AND ${hasAcl("k")}) d
     CROSS JOIN LATERAL pg_catalog.aclexplode(d.aclitems) x
     GROUP BY d.aclitems
  ) g ON ${hasAcl("c")} AND g.aclitems = ${aclOf("c")}
 WHERE c.oid = ANY ($1::oid[])`;
