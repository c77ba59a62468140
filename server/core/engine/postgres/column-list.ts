import { quoteIdentifier } from "../../base/relation-name.ts";
import type { OutputColumn } from "../../snapshot/output-column.ts";

export function columnList(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(", ");
}

/** `"name" type [COLLATE …]`. Types are the catalog's own spelling and collations come quoted as needed, so both stand as they are. */
export function columnDefinition(column: OutputColumn): string {
  return [quoteIdentifier(column.name), column.type, collateClause(column)].filter((part) => part !== "").join(" ");
}

export function collateClause(column: OutputColumn): string {
  return column.collation === null ? "" : `COLLATE ${column.collation}`;
}

/** A query as it may stand between parentheses: without its final semicolon, ended by a line break in case it ends in a comment. */
export function enclosedQuery(query: string): string {
  return `${plainQuery(query)}\n`;
}

export function plainQuery(query: string): string {
  return query.replace(/[\s;]+$/, "").replace(/^\s+/, "");
}
