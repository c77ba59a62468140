import type { CatalogRelation } from "../../../core/catalog/catalog.ts";
import type { RunQuery } from "../query.ts";
import { type ColumnRow, columnsQuery } from "./columns-query.ts";
import { relationFromRows } from "./relation-from-rows.ts";
import { relationsQuery } from "./relations-query.ts";

export interface RelationsRead {
  readonly relations: ReadonlyMap<number, CatalogRelation>;
  readonly columnName: (relation: number, attnum: number) => string | null;
}

/** Relations by OID, whole. Those that went in between are left out. */
export async function readRelations(run: RunQuery, oids: readonly number[]): Promise<RelationsRead> {
  if (oids.length === 0) return { relations: new Map(), columnName: () => null };
  const rows = await run(relationsQuery(oids));
  const columns = groupByRelation(await run(columnsQuery(oids)));
  return {
    relations: new Map(rows.map((row) => [row.oid, relationFromRows(row, columns.get(row.oid) ?? [])])),
    columnName: (relation, attnum) =>
      columns.get(relation)?.find((column) => column.attnum === attnum)?.attname ?? null,
  };
}

function groupByRelation(rows: readonly ColumnRow[]): ReadonlyMap<number, readonly ColumnRow[]> {
  const groups = new Map<number, ColumnRow[]>();
  for (const row of rows) {
    const group = groups.get(row.attrelid);
    if (group === undefined) groups.set(row.attrelid, [row]);
    else group.push(row);
  }
  return groups;
}
