import type pg from "pg";

/** One thing that is true of one object, both by names: `view shop.v · owner: anna`. */
export interface Fact {
  /** As pg_describe_object has it under an empty search_path. */
  readonly subject: string;
  /** `owner`, `grant`, `column`, `depends on`, …: see `FACTS`. */
  readonly fact: string;
  readonly value: string;
}

/** What a comparison shall not see. */
export type Mask = (fact: Fact) => boolean;

/**
 * Everything that the catalog knows of a database's own objects, keyed by names: no OIDs, no order of making, no
 * statistics. An oracle that shares nothing with how Weir reads: every catalog is listed whole, and what a list says of
 * an object is what the server prints. Sees the uncommitted changes of the client's own transaction.
 */
export async function takeSnapshot(client: pg.Client, masks: readonly Mask[] = []): Promise<readonly string[]> {
  const path = await client.query<{ path: string }>(
    "SELECT pg_catalog.current_setting('search_path') AS path, pg_catalog.set_config('search_path', '', false)",
  );
  try {
    const version = (await client.query<{ v: number }>("SHOW server_version_num")).rows[0];
    const { rows } = await client.query<Fact>(factsSql(Number(Object.values(version ?? {})[0])));
    const seen = rows.filter((fact) => !masks.some((mask) => mask(fact)));
    return [...new Set(seen.map(({ subject, fact, value }) => `${subject} · ${fact}: ${value}`))].sort();
  } finally {
    // In a transaction that has failed there is nothing to put back, and the first error says more.
    await client
      .query("SELECT pg_catalog.set_config('search_path', $1, false)", [path.rows[0]?.path ?? ""])
      .catch(() => undefined);
  }
}

/** Lines of one that the other hasn't. Both empty: the same. */
export function compareSnapshots(before: readonly string[], after: readonly string[]) {
  const [was, is] = [new Set(before), new Set(after)];
  return { lost: before.filter((line) => !is.has(line)), added: after.filter((line) => !was.has(line)) };
}

function inWords(catalog: string, oid: string, sub = "0"): string {
  return `pg_catalog.pg_describe_object('pg_catalog.${catalog}'::pg_catalog.regclass, ${oid}, ${sub})`;
}

function grantsSql(acl: string): string {
  return `LATERAL (SELECT pg_catalog.format('%s to %s by %s%s', x.privilege_type,
            CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(x.grantee)) END,
            pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(x.grantor)),
            CASE WHEN x.is_grantable THEN ' with grant option' ELSE '' END) AS text
           FROM pg_catalog.aclexplode(${acl}) x) g`;
}

const role = (oid: string): string => `pg_catalog.pg_get_userbyid(${oid})::text`;
const OURS = `n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND n.nspname NOT LIKE 'pg_toast_temp%'`;
const REL = `pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${OURS}`;
const NAME = inWords("pg_class", "c.oid");
/** Whatever initdb made has an OID below. */
const FIRST = 16384;

/** Each a SELECT of subject, fact, value. */
function factsSql(version: number): string {
  const facts: string[] = [
    // Relations
    `SELECT ${NAME} AS subject, 'relation' AS fact, pg_catalog.concat_ws(' ', c.relkind, c.relpersistence,
            'replident', c.relreplident, 'populated', c.relispopulated, 'rls', c.relrowsecurity, c.relforcerowsecurity,
            'partition', c.relispartition, c.relhassubclass, pg_catalog.pg_get_expr(c.relpartbound, c.oid),
            'am', (SELECT amname FROM pg_catalog.pg_am WHERE oid = c.relam),
            'in', (SELECT spcname FROM pg_catalog.pg_tablespace WHERE oid = c.reltablespace)) AS value FROM ${REL}`,
    `SELECT ${NAME}, 'owner', ${role("c.relowner")} FROM ${REL}`,
    `SELECT ${NAME}, 'option', o FROM ${REL}, pg_catalog.unnest(c.reloptions) o`,
    `SELECT ${NAME}, 'toast option', o FROM ${REL} JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid,
            pg_catalog.unnest(t.reloptions) o`,
    `SELECT ${NAME}, 'grant', g.text FROM ${REL}, ${grantsSql(
      "COALESCE(c.relacl, pg_catalog.acldefault(CASE c.relkind WHEN 'S' THEN 's'::\"char\" ELSE 'r' END, c.relowner))",
    )} WHERE c.relkind NOT IN ('i', 'I', 'c')`,
    `SELECT ${NAME}, 'definition', pg_catalog.pg_get_viewdef(c.oid) FROM ${REL} WHERE c.relkind IN ('v', 'm')`,
    `SELECT ${NAME}, 'inherits', pg_catalog.concat_ws(' ', i.inhseqno, ${inWords("pg_class", "i.inhparent")})
       FROM ${REL} JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid`,
    // Columns
    `SELECT ${inWords("pg_class", "c.oid", "a.attnum")}, 'column', pg_catalog.concat_ws(' ', '#' || a.attnum,
            pg_catalog.format_type(a.atttypid, a.atttypmod), 'collation',
            CASE WHEN a.attcollation <> 0 THEN ${inWords("pg_collation", "a.attcollation")} END,
            a.attnotnull, a.attidentity, a.attgenerated, a.attislocal, a.attinhcount, 'storage', a.attstorage,
            a.attcompression, 'target', NULLIF(a.attstattarget, -1))
       FROM ${REL} JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`,
    // The server's own counter of columns, which no two of them share (seen on 15.20).
    `SELECT ${inWords("pg_class", "c.oid", "a.attnum")}, 'option', o
       FROM ${REL} JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped,
            pg_catalog.unnest(a.attoptions) o WHERE o NOT LIKE 'pg@_%' ESCAPE '@'`,
    `SELECT ${inWords("pg_class", "c.oid", "a.attnum")}, 'grant', g.text
       FROM ${REL} JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped,
            ${grantsSql("a.attacl")}`,
    `SELECT ${inWords("pg_attrdef", "d.oid")}, 'default', pg_catalog.pg_get_expr(d.adbin, d.adrelid)
       FROM ${REL} JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid`,
    // What is on relations
    `SELECT ${NAME}, 'index', pg_catalog.concat_ws(' ', pg_catalog.pg_get_indexdef(i.indexrelid), i.indisunique,
            i.indisprimary, i.indimmediate, 'clustered', i.indisclustered, 'valid', i.indisvalid, i.indisready,
            'replident', i.indisreplident) FROM ${REL} JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid`,
    `SELECT ${inWords("pg_constraint", "k.oid")}, 'constraint', pg_catalog.concat_ws(' ',
            pg_catalog.pg_get_constraintdef(k.oid), k.contype, k.convalidated, k.conislocal, k.coninhcount)
       FROM pg_catalog.pg_constraint k WHERE k.oid >= ${FIRST}`,
    `SELECT ${inWords("pg_trigger", "t.oid")}, 'trigger', pg_catalog.concat_ws(' ',
            pg_catalog.pg_get_triggerdef(t.oid), 'fires', t.tgenabled)
       FROM pg_catalog.pg_trigger t WHERE NOT t.tgisinternal`,
    `SELECT ${inWords("pg_rewrite", "r.oid")}, 'rule', pg_catalog.concat_ws(' ', pg_catalog.pg_get_ruledef(r.oid),
            'fires', r.ev_enabled) FROM pg_catalog.pg_rewrite r WHERE r.oid >= ${FIRST}`,
    `SELECT ${inWords("pg_policy", "p.oid")}, 'policy', pg_catalog.concat_ws(' ', p.polcmd, p.polpermissive,
            'to', ARRAY(SELECT CASE WHEN r = 0 THEN 'PUBLIC' ELSE ${role("r")} END FROM pg_catalog.unnest(p.polroles) r
                         ORDER BY 1)::text,
            'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid),
            'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)) FROM pg_catalog.pg_policy p`,
    `SELECT ${inWords("pg_statistic_ext", "s.oid")}, 'statistics', pg_catalog.concat_ws(' ',
            pg_catalog.pg_get_statisticsobjdef(s.oid), 'owner', ${role("s.stxowner")}, 'target',
            NULLIF(s.stxstattarget, -1)) FROM pg_catalog.pg_statistic_ext s`,
    // Routines and types
    `SELECT ${inWords("pg_proc", "p.oid")}, 'routine', CASE WHEN p.prokind IN ('f', 'p')
            THEN pg_catalog.pg_get_functiondef(p.oid) ELSE p.prokind::text END
       FROM pg_catalog.pg_proc p WHERE p.oid >= ${FIRST}`,
    `SELECT ${inWords("pg_proc", "p.oid")}, 'owner', ${role("p.proowner")}
       FROM pg_catalog.pg_proc p WHERE p.oid >= ${FIRST}`,
    `SELECT ${inWords("pg_proc", "p.oid")}, 'grant', g.text FROM pg_catalog.pg_proc p,
            ${grantsSql("COALESCE(p.proacl, pg_catalog.acldefault('f', p.proowner))")} WHERE p.oid >= ${FIRST}`,
    `SELECT ${inWords("pg_type", "t.oid")}, 'type', pg_catalog.concat_ws(' ', t.typtype, t.typnotnull,
            'owner', ${role("t.typowner")}) FROM pg_catalog.pg_type t WHERE t.oid >= ${FIRST}`,
    `SELECT ${inWords("pg_type", "t.oid")}, 'grant', g.text FROM pg_catalog.pg_type t,
            ${grantsSql("COALESCE(t.typacl, pg_catalog.acldefault('T', t.typowner))")} WHERE t.oid >= ${FIRST}`,
    // What is said of anything
    `SELECT pg_catalog.pg_describe_object(d.classoid, d.objoid, d.objsubid), 'comment', d.description
       FROM pg_catalog.pg_description d WHERE d.objoid >= ${FIRST}`,
    `SELECT pg_catalog.pg_describe_object(l.classoid, l.objoid, l.objsubid), 'label', l.provider || ' ' || l.label
       FROM pg_catalog.pg_seclabel l`,
    // Around them
    `SELECT ${inWords("pg_namespace", "n.oid")}, 'schema', pg_catalog.concat_ws(' ', ${role("n.nspowner")}, n.nspacl::text)
       FROM pg_catalog.pg_namespace n WHERE n.oid >= ${FIRST} AND n.nspname NOT LIKE 'pg@_%' ESCAPE '@'`,
    `SELECT ${inWords("pg_default_acl", "d.oid")}, 'default privileges', d.defaclacl::text
       FROM pg_catalog.pg_default_acl d`,
    `SELECT ${inWords("pg_publication", "p.oid")}, 'publishes', pg_catalog.concat_ws(' ',
            ${inWords("pg_class", "r.prrelid")}${
              version >= 150_000 ? ", r.prattrs, pg_catalog.pg_get_expr(r.prqual, r.prrelid)" : ""
            })
       FROM pg_catalog.pg_publication p JOIN pg_catalog.pg_publication_rel r ON r.prpubid = p.oid`,
    // Who needs whom, column by column, and which roles are in it
    `SELECT pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid), 'depends on', pg_catalog.concat_ws(' ',
            d.deptype, pg_catalog.pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid))
       FROM pg_catalog.pg_depend d WHERE d.objid >= ${FIRST}`,
    `SELECT pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid), 'depends on', pg_catalog.concat_ws(' ',
            d.deptype, pg_catalog.pg_describe_object(d.refclassid, d.refobjid, 0))
       FROM pg_catalog.pg_shdepend d
      WHERE d.dbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())`,
  ];
  // TOAST tables, and types of other sessions' temporary schemas, have numbers in their names.
  return `SELECT s.subject, s.fact, COALESCE(s.value, '') AS value FROM (${facts.join("\nUNION ALL\n")}) s
    WHERE s.subject IS NOT NULL AND s.subject NOT LIKE '%pg_toast%' AND COALESCE(s.value, '') NOT LIKE '%pg_toast%'`;
}
