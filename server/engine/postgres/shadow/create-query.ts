import { quoteIdentifier, quoteRelation, type RelationName } from "../../../core/base/relation-name.ts";
import type { Shape } from "../../../core/plan/facts.ts";
import type { ShapeQuery } from "../../../ports/shape-reader.ts";
import type { Session } from "../session.ts";
import { SQLSTATE } from "../sqlstate.ts";
import { columnDefinition, type QueryRefusal, tryStatement, tryView, whatIsMissing } from "./create-relation.ts";
import type { UnknownColumn } from "./create-stubs.ts";
import { shapeColumnsQuery } from "./shape-columns-query.ts";

export type FailedShape = Extract<Shape, { ok: false }>;

/** Makes one query's relation in the shadow. Null where it now stands there; its columns are read later, all at once. */
export async function createQuery(
  session: Session,
  query: ShapeQuery,
  unknown: readonly UnknownColumn[],
): Promise<FailedShape | null> {
  const { relation, columns } = query;
  if (query.query === null) return columns === null ? noColumns(query) : createTable(session, relation, columns);
  const refusal =
    (await tryView(session, relation, query.query)) ??
    (columns === null ? null : await castToDeclared(session, relation, query.query, columns));
  if (refusal === null) return null;
  const read = await unknownReads(session, relation, query.query, unknown);
  return read.length > 0 ? missingColumns(read) : failedShape(refusal, relation);
}

function noColumns(query: ShapeQuery): FailedShape {
  return { ok: false, reason: "missing", what: `the columns of ${query.model}` };
}

async function createTable(
  session: Session,
  relation: RelationName,
  columns: NonNullable<ShapeQuery["columns"]>,
): Promise<FailedShape | null> {
  const sql = `CREATE TABLE ${quoteRelation(relation)} (${columns.map(columnDefinition).join(", ")})`;
  const refusal = await tryStatement(session, sql);
  return refusal === null ? null : failedShape({ ...refusal, offset: null }, relation);
}

/**
 * The query's own columns in their order, those that are declared cast to the declared type, as the table will have
 * them. The query stands inside the view and not below it, so that the server still records what it reads.
 */
async function castToDeclared(
  session: Session,
  relation: RelationName,
  query: string,
  declared: NonNullable<ShapeQuery["columns"]>,
): Promise<QueryRefusal | null> {
  const found = (await session.query(shapeColumnsQuery([relation]))).map((row) => row.attname);
  const absent = declared.find((column) => !found.includes(column.name));
  if (absent !== undefined) {
    const message = `the declared column ${quoteIdentifier(absent.name)} isn't among the columns of the query`;
    return { message, sqlstate: SQLSTATE.undefinedColumn, offset: null };
  }
  await session.execute(`DROP VIEW ${quoteRelation(relation)}`);
  const types = new Map(declared.map((column) => [column.name, column.type]));
  const items = found.map((name) => {
    const type = types.get(name);
    const column = quoteIdentifier(name);
    return type === undefined ? column : `CAST(${column} AS ${type}) AS ${column}`;
  });
  const refusal = await tryView(session, relation, `SELECT ${items.join(", ")} FROM (${query}\n) AS query`);
  return refusal === null ? null : { ...refusal, offset: null };
}

/**
 * Which stubs with columns of unknown types a refused query reads. There is no view whose edges could be looked at, so
 * each is taken away in turn: if the server then says anything else about the query, it reads that one.
 */
async function unknownReads(
  session: Session,
  relation: RelationName,
  query: string,
  unknown: readonly UnknownColumn[],
): Promise<readonly UnknownColumn[]> {
  if (unknown.length === 0) return [];
  const withAll = await tryAside(session, relation, query, null);
  const read: UnknownColumn[] = [];
  for (const stub of new Set(unknown.map((each) => quoteRelation(each.relation)))) {
    const without = await tryAside(session, relation, query, stub);
    if (without?.message === withAll?.message && without?.offset === withAll?.offset) continue;
    read.push(...unknown.filter((each) => quoteRelation(each.relation) === stub));
  }
  return read;
}

/** What the server says about a query while `stub` goes by another name. Leaves nothing behind. */
async function tryAside(
  session: Session,
  relation: RelationName,
  query: string,
  stub: string | null,
): Promise<QueryRefusal | null> {
  await session.execute("SAVEPOINT weir_aside");
  if (stub !== null) await session.execute(`ALTER TABLE ${stub} RENAME TO "__weir_aside"`);
  const refusal = await tryView(session, relation, query);
  await session.execute("ROLLBACK TO SAVEPOINT weir_aside");
  await session.execute("RELEASE SAVEPOINT weir_aside");
  return refusal;
}

/** Types, functions and operators that the shadow lacks and the warehouse may have; so not the author's fault. */
const LACKING: ReadonlySet<string> = new Set([
  SQLSTATE.undefinedObject,
  SQLSTATE.undefinedFunction,
  SQLSTATE.invalidSchemaName,
]);

function failedShape(refusal: QueryRefusal, relation: RelationName): FailedShape {
  if (LACKING.has(refusal.sqlstate)) return { ok: false, reason: "missing", what: whatIsMissing(refusal.message) };
  if (refusal.sqlstate === SQLSTATE.duplicateTable) {
    return {
      ok: false,
      reason: "missing",
      what: `a place for ${relation.schema}.${relation.name}: there is one already`,
    };
  }
  const { message, sqlstate, offset } = refusal;
  return { ok: false, reason: "model", message, sqlstate, offset };
}

export function missingColumns(unknown: readonly UnknownColumn[]): FailedShape {
  return { ok: false, reason: "missing", what: [...new Set(unknown.map((each) => each.what))].join(", ") };
}
