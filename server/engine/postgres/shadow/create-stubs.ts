import { quoteIdentifier, quoteRelation, type RelationName, relationKey } from "../../../core/base/relation-name.ts";
import type { OutputColumn } from "../../../core/snapshot/output-column.ts";
import type { ShapeRequest } from "../../../ports/shape-reader.ts";
import { relationOidsQuery } from "../catalog/relation-oids-query.ts";
import type { Session } from "../session.ts";
import { columnDefinition, tryStatement, whatIsMissing } from "./create-relation.ts";

/** A column whose type or collation this server doesn't have: an enum or an extension of the warehouse. */
export interface UnknownColumn {
  readonly relation: RelationName;
  readonly column: string;
  /** `type "geometry" of raw.places.shape`. */
  readonly what: string;
}

/** Stands in for types that aren't here. Whoever reads such a column gets no shape, so what it behaves like is all the same. */
export const UNKNOWN_TYPE: RelationName = { schema: "__weir_unknown", name: "unknown" };

/** Relations that every server has: reading them needs no stub, and making one would be refused. */
const SERVER_SCHEMAS = new Set(["pg_catalog", "information_schema"]);

/** Empty tables with the columns that the warehouse's relations have. */
export async function createStubs(session: Session, stubs: ShapeRequest["stubs"]): Promise<readonly UnknownColumn[]> {
  const unknown: UnknownColumn[] = [];
  // Where the shadow is the warehouse itself, a relation is there already, and truer than any stub.
  const rows = await session.query(relationOidsQuery(stubs.map((stub) => stub.relation)));
  const present = new Set(rows.map((row) => relationKey({ schema: row.nspname, name: row.relname })));
  for (const stub of stubs) {
    if (SERVER_SCHEMAS.has(stub.relation.schema) || present.has(relationKey(stub.relation))) continue;
    const columns = stub.columns.map(columnDefinition).join(", ");
    const refusal = await tryStatement(session, `CREATE TABLE ${quoteRelation(stub.relation)} (${columns})`);
    if (refusal === null) continue;
    unknown.push(...(await createColumnByColumn(session, stub.relation, stub.columns)));
  }
  return unknown;
}

async function createColumnByColumn(
  session: Session,
  relation: RelationName,
  columns: readonly OutputColumn[],
): Promise<readonly UnknownColumn[]> {
  await createUnknownType(session);
  await session.execute(`CREATE TABLE ${quoteRelation(relation)} ()`);
  const unknown: UnknownColumn[] = [];
  for (const column of columns) {
    const add = `ALTER TABLE ${quoteRelation(relation)} ADD COLUMN`;
    const refusal = await tryStatement(session, `${add} ${columnDefinition(column)}`);
    if (refusal === null) continue;
    await session.execute(`${add} ${quoteIdentifier(column.name)} ${quoteRelation(UNKNOWN_TYPE)}`);
    const what = `${whatIsMissing(refusal.message)} of ${relation.schema}.${relation.name}.${column.name}`;
    unknown.push({ relation, column: column.name, what });
  }
  return unknown;
}

async function createUnknownType(session: Session): Promise<void> {
  await session.execute(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(UNKNOWN_TYPE.schema)}`);
  // There is no IF NOT EXISTS for a domain: from the second time on this is refused, and nothing is lost.
  await tryStatement(session, `CREATE DOMAIN ${quoteRelation(UNKNOWN_TYPE)} AS text`);
}
