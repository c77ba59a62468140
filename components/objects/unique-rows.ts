import type { ObjectRow } from "./object-rows.ts";

/**
 * One node an id, whatever the data holds twice: a node that is reached by two paths, or that is dropped and recreated,
 * is one row and one node. Drawn twice, the canvas of the graph would stay blank.
 * @throws Error naming the ids, in development and test builds, because it is a fault of whoever made the data.
 */
export function uniqueRows(rows: readonly ObjectRow[], strict: boolean): readonly ObjectRow[] {
  const seen = new Map<string, ObjectRow>();
  const twice = new Set<string>();
  for (const row of rows) {
    const known = seen.get(row.id);
    if (known === undefined) seen.set(row.id, row);
    else {
      twice.add(row.id);
      if (known.fate !== row.fate) seen.set(row.id, { ...known, also: row.fate });
    }
  }
  if (strict && twice.size > 0) throw new Error(`The plan holds ${[...twice].join(", ")} more than once`);
  return [...seen.values()];
}
