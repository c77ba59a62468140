import type { World } from "./world.ts";

/** All that can be seen of a database, by names alone, so that two that were reached on different ways can be compared. */
export interface EndState {
  readonly objects: readonly string[];
  /** By relation, sorted. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly models: unknown;
  readonly versions: readonly unknown[];
}

const RELATIONS = `
SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relkind::text AS kind,
       concat_ws(' | ', c.relkind, pg_get_userbyid(c.relowner), array_to_string(c.reloptions, ','),
         (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), col_description(c.oid, a.attnum)),
                            ', ' ORDER BY a.attnum)
            FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
         (SELECT string_agg(x::text, ',' ORDER BY x::text) FROM unnest(c.relacl) AS x),
         obj_description(c.oid, 'pg_class'), c.relispopulated,
         CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
         CASE WHEN c.relkind = 'i' THEN pg_get_indexdef(c.oid) END) AS text
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'weir', 'weir_internal') AND n.nspname NOT LIKE 'pg_t%'
 ORDER BY 1`;

export async function readEndState(world: World): Promise<EndState> {
  const client = await world.connect();
  try {
    await client.query("SET search_path TO pg_catalog");
    const relations = (await client.query(RELATIONS)).rows as { name: string; kind: string; text: string }[];
    const schemas = (
      await client.query("SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^(pg_|weir)' ORDER BY 1")
    ).rows as { name: string }[];
    const holding = relations.filter(({ kind }) => ["r", "v", "m"].includes(kind));
    const rows: Record<string, readonly string[]> = {};
    for (const { name } of holding) {
      const found = await client.query(`SELECT t::text AS row FROM ${name} AS t ORDER BY 1`);
      rows[name] = found.rows.map((each: { row: string }) => each.row);
    }
    const environments = await client.query("SELECT models FROM weir.environments ORDER BY project, name");
    const versions = await client.query(
      `SELECT to_jsonb(v) - 'position' AS version FROM weir.versions v ORDER BY model, version, lookup_key`,
    );
    return {
      objects: [
        ...schemas.map(({ name }) => `schema ${name}`),
        ...relations.map(({ name, text }) => `${name}: ${text}`),
      ],
      rows,
      models: environments.rows.map((each: { models: string }) => each.models),
      versions: versions.rows.map((each: { version: unknown }) => each.version),
    };
  } finally {
    await client.end();
  }
}

/** From a view's name to its rows. */
export type Served = Readonly<Record<string, string>>;

/** What each virtual view serves at this moment. An error here is what must never happen. */
export async function readServed(world: World): Promise<Served> {
  const client = await world.connect();
  try {
    const views = await client.query(
      `SELECT format('%I.%I', schemaname, viewname) AS name FROM pg_views WHERE schemaname IN ('shop', 'extra') ORDER BY 1`,
    );
    const served: Record<string, string> = {};
    for (const { name } of views.rows as { name: string }[]) {
      const found = await client.query(
        `SELECT coalesce(json_agg(t ORDER BY t::text)::text, '') AS all FROM ${name} AS t`,
      );
      served[name] = found.rows[0].all;
    }
    return served;
  } finally {
    await client.end();
  }
}
