import { quoteIdentifier, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import type { OutputColumn } from "../../snapshot/output-column.ts";
import { columnList, enclosedQuery } from "./column-list.ts";
import { buildStatement, longStatement, type Timeouts } from "./statement.ts";

export interface TableFill {
  readonly relation: RelationName;
  readonly columns: readonly OutputColumn[];
  /** Its references already spliced to physical names. */
  readonly query: string;
  /** Readers see this table while it is written. */
  readonly served: boolean;
}

/** Lives in the session's own schema and goes with the transaction. */
const NEW_ROWS = `${quoteIdentifier("pg_temp")}.${quoteIdentifier("weir_new_rows")}`;
const SOURCE = quoteIdentifier("weir_source");

/** First rows of an empty table. A query that reads its own table reads it empty, as it must. */
export function fillTableStatements(fill: TableFill, timeouts: Timeouts): readonly Statement[] {
  return [longStatement(insertFromQuery(fill), writeLock(fill), timeouts)];
}

/**
 * All rows anew in one transaction. DELETE and INSERT, never TRUNCATE, which would make readers wait (ACCESS EXCLUSIVE).
 * A query that reads its own table is evaluated before the rows go.
 */
export function refillTableStatements(fill: TableFill, readsItself: boolean, timeouts: Timeouts): readonly Statement[] {
  const clear = longStatement(`DELETE FROM ${quoteRelation(fill.relation)}`, writeLock(fill), timeouts);
  if (!readsItself) return [clear, longStatement(insertFromQuery(fill), writeLock(fill), timeouts)];
  return [
    longStatement(keepNewRows(fill), null, timeouts),
    clear,
    longStatement(insertNewRows(fill), writeLock(fill), timeouts),
  ];
}

/**
 * Replaces every partition that the query has rows for. Keys are expressions over the table's own columns; NULL is a
 * partition like any other, so they compare by IS NOT DISTINCT FROM.
 */
export function replacePartitionsStatements(
  fill: TableFill,
  keys: readonly string[],
  timeouts: Timeouts,
): readonly Statement[] {
  const names = keys.map((_, index) => quoteIdentifier(`weir_key_${index + 1}`));
  const selected = keys.map((key, index) => `(${key}) AS ${names[index]}`).join(", ");
  // The inner relation has the keys alone, so that bare names in a key can only mean the table's own columns.
  const matches = keys.map((key, index) => `(${key}) IS NOT DISTINCT FROM "weir_keys".${names[index]}`).join(" AND ");
  const clear = [
    `DELETE FROM ${quoteRelation(fill.relation)}`,
    `WHERE EXISTS (SELECT FROM (SELECT DISTINCT ${selected} FROM ${NEW_ROWS}) AS "weir_keys" WHERE ${matches})`,
  ].join("\n");
  return [
    longStatement(keepNewRows(fill), null, timeouts),
    buildStatement(`ANALYZE ${NEW_ROWS}`, timeouts),
    longStatement(clear, writeLock(fill), timeouts),
    longStatement(insertNewRows(fill), writeLock(fill), timeouts),
  ];
}

function insertFromQuery(fill: TableFill): string {
  return `INSERT INTO ${quoteRelation(fill.relation)} (${names(fill)})\n${selectCast(fill)}`;
}

function keepNewRows(fill: TableFill): string {
  return `CREATE TEMPORARY TABLE ${NEW_ROWS} ON COMMIT DROP AS\n${selectCast(fill)}`;
}

function insertNewRows(fill: TableFill): string {
  return `INSERT INTO ${quoteRelation(fill.relation)} (${names(fill)})\nSELECT ${names(fill)} FROM ${NEW_ROWS}`;
}

/** Casts to the table's types, as an assignment would, so that declared columns hold whatever type the query has. */
function selectCast(fill: TableFill): string {
  const items = fill.columns.map((column) => {
    const name = quoteIdentifier(column.name);
    return `${SOURCE}.${name}::${column.type} AS ${name}`;
  });
  return `SELECT ${items.join(", ")}\nFROM (\n${enclosedQuery(fill.query)}) AS ${SOURCE}`;
}

function names(fill: TableFill): string {
  return columnList(fill.columns.map((column) => column.name));
}

function writeLock(fill: TableFill): string | null {
  return fill.served ? "ROW EXCLUSIVE" : null;
}
