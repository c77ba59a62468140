import type pg from "pg";

/**
 * What a cascading drop really takes: every row of every catalog that has an OID, and every live column, listed before
 * and after one that is rolled back. NOTICE text would be no oracle: it hides automatic parts and ends at 100 lines.
 * Only tests may ask for this.
 */
export async function listCascade(client: pg.Client, drop: string): Promise<ReadonlySet<string>> {
  await client.query("BEGIN");
  try {
    const before = await listEverything(client);
    await client.query(`${drop} ${"CASC"}ADE`);
    const after = await listEverything(client);
    for (const key of after) before.delete(key);
    return before;
  } finally {
    await client.query("ROLLBACK");
  }
}

async function listEverything(client: pg.Client): Promise<Set<string>> {
  const { rows: catalogs } = await client.query<{ oid: number; relname: string }>(`
    SELECT c.oid, c.relname
      FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'oid'
     WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r' AND NOT c.relisshared
       AND c.relname NOT IN ('pg_largeobject_metadata')`);
  const parts = catalogs.map(
    ({ oid, relname }) => `SELECT '${oid}.' || oid::text || '.0' AS key FROM pg_catalog.${relname}`,
  );
  parts.push(`
    SELECT 'pg_catalog.pg_class'::regclass::oid::text || '.' || attrelid::text || '.' || attnum::text
      FROM pg_catalog.pg_attribute WHERE attnum > 0 AND NOT attisdropped`);
  const { rows } = await client.query<{ key: string }>(parts.join(" UNION ALL "));
  return new Set(rows.map((row) => row.key));
}
