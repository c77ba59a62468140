import type pg from "pg";
import type { Environment } from "../../server/core/environment/environment.ts";

/**
 * What an environment consists of in the warehouse, as text that two databases can be compared by: names of versions
 * stand as `<model>`, columns in order of name. Owners and grants are left out: they are what people did by hand.
 */
export async function servedText(client: pg.Client, environment: Environment): Promise<string> {
  const roles = environment.models.flatMap(({ model, relation }): [string, string][] =>
    relation === null ? [] : [[relation.name, `<${model}>`]],
  );
  const neutral = (text: string) => roles.reduce((sum, [name, role]) => sum.replaceAll(name, role), text);
  const lines: string[] = [];
  for (const { model, relation, view } of environment.models) {
    const objects = [
      { role: "served", name: view, query: SERVED },
      { role: "physical", name: relation, query: PHYSICAL },
    ];
    for (const { role, name, query } of objects) {
      if (name === null) continue;
      const { rows } = await client.query<{ line: string }>(query, [name.schema, name.name]);
      const found = rows.length === 0 ? ["missing"] : rows.map((row) => neutral(row.line));
      lines.push(...found.map((line) => `${model} ${role} ${line}`));
    }
  }
  return lines.join("\n");
}

const NAMED = `
  WITH named AS (
    SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2
  )
  SELECT 'column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
         || CASE WHEN co.collname IS NULL OR co.collname = 'default' THEN '' ELSE ' collate ' || co.collname END
         || coalesce(' -- ' || col_description(c.oid, a.attnum), '') AS line
    FROM named c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_collation co ON co.oid = a.attcollation
  UNION ALL
  SELECT 'comment ' || obj_description(c.oid, 'pg_class') FROM named c WHERE obj_description(c.oid, 'pg_class') <> ''`;

/** Of a virtual view only what it reads: the order of its columns may be an older one. */
const SERVED = `${NAMED}
  UNION ALL
  SELECT 'view ' || regexp_replace(pg_get_viewdef(c.oid), '^.*\\sFROM ', 'FROM ') FROM named c
  ORDER BY 1`;

const PHYSICAL = `${NAMED}
  UNION ALL
  SELECT 'kind ' || c.relkind::text || coalesce(' ' || array_to_string(c.reloptions, ','), '') FROM named c
  UNION ALL
  SELECT 'definition ' || regexp_replace(pg_get_viewdef(c.oid), '\\s+', ' ', 'g') FROM named c WHERE c.relkind IN ('v', 'm')
  UNION ALL
  SELECT 'index ' || regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX .* ON ', ' INDEX ON ')
    FROM named c JOIN pg_index i ON i.indrelid = c.oid
  ORDER BY 1`;
