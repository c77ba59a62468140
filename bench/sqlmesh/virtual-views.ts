import type { BenchDatabase } from "../bench-server.ts";

export interface VirtualView {
  readonly name: string;
  /** `name type`, in order. */
  readonly columns: readonly string[];
  /** As text, sorted: a view has no order. */
  readonly rows: readonly string[];
}

/** Every view of the generated schemas and of their twins in other environments; physical objects are each tool's own. */
export async function readViews(database: BenchDatabase): Promise<readonly VirtualView[]> {
  const found = await database.query<{ relation: string; name: string; columns: string[] }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS relation, n.nspname || '.' || c.relname AS name,
           ARRAY(SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
                  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname LIKE 'area\\_%' AND c.relkind = 'v' ORDER BY 2`);
  const views: VirtualView[] = [];
  for (const { relation, name, columns } of found) {
    const rows = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${relation} AS t ORDER BY 1`);
    views.push({ name, columns, rows: rows.map(({ row }) => row) });
  }
  return views;
}

/** One line for each difference, empty when Weir's are what SQLMesh's are. */
export function compareViews(own: readonly VirtualView[], other: readonly VirtualView[]): readonly string[] {
  const right = new Map(other.map((view) => [view.name, view]));
  const left = new Set(own.map((view) => view.name));
  const missing = other.filter((view) => !left.has(view.name)).map((view) => `${view.name}: only SQLMesh has it`);
  const different = own.flatMap((view) => {
    const twin = right.get(view.name);
    if (twin === undefined) return [`${view.name}: only Weir has it`];
    return [...compareList(view, twin, "columns"), ...compareList(view, twin, "rows")];
  });
  return [...missing, ...different];
}

function compareList(own: VirtualView, other: VirtualView, part: "columns" | "rows"): readonly string[] {
  const index = Array.from({ length: Math.max(own[part].length, other[part].length) }).findIndex(
    (_, at) => own[part][at] !== other[part][at],
  );
  if (index === -1) return [];
  const counts = `${own[part].length} and ${other[part].length}`;
  return [`${own.name}: ${part} differ (${counts}), first ${own[part][index]} and ${other[part][index]}`];
}
