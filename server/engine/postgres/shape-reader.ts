import { compareText, quoteIdentifier, relationKey } from "../../core/base/relation-name.ts";
import type { ModelKey } from "../../core/model/model-name.ts";
import type { Shape } from "../../core/plan/facts.ts";
import type { OutputColumn } from "../../core/snapshot/output-column.ts";
import type { ConnectionSettings } from "../../ports/project-source.ts";
import type { ShapeQuery, ShapeReader, ShapeRequest } from "../../ports/shape-reader.ts";
import { createSearchPathSetter } from "./authors-search-path.ts";
import { schemasQuery } from "./catalog/schemas-query.ts";
import { openSession, type Session } from "./session.ts";
import { createQuery, type FailedShape, missingColumns } from "./shadow/create-query.ts";
import { createStubs, type UnknownColumn } from "./shadow/create-stubs.ts";
import { shapeColumnsQuery } from "./shadow/shape-columns-query.ts";
import { unknownUsesQuery } from "./shadow/unknown-uses-query.ts";

export interface ShapeReaderOptions {
  /** Where: the embedded server's scratch database or another. Asked for each time, so that it may start one. */
  readonly connect: () => Promise<ConnectionSettings>;
}

/**
 * Finds out columns by creating every query as a view over empty tables, in one transaction that is always rolled back.
 * CREATE VIEW only analyses: PREPARE and EXPLAIN would expand the whole stack below a view, a hundred times slower.
 *
 * @throws WarehouseError where the server itself fails; what is wrong with a query is in its shape.
 */
export function createShapeReader(options: ShapeReaderOptions): ShapeReader {
  return {
    readShapes: async (request) => {
      const session = await openSession(await options.connect());
      try {
        await session.begin("BEGIN");
        return await readShapes(session, request);
      } finally {
        // Ending the session rolls back as well, should the server no longer listen.
        if (session.isUsable()) await session.execute("ROLLBACK").catch(() => undefined);
        await session.end();
      }
    },
  };
}

async function readShapes(session: Session, request: ShapeRequest): Promise<ReadonlyMap<ModelKey, Shape>> {
  await session.execute(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
  // Two readers that make the same schemas would wait for each other in the middle, or for ever; here they take turns.
  await session.query({ text: "SELECT pg_catalog.pg_advisory_xact_lock($1)", values: [SHAPES_LOCK] });
  await createSchemas(session, request);
  const unknown = await createStubs(session, request.stubs);
  const failures = new Map<ModelKey, FailedShape>();
  const setSearchPath = createSearchPathSetter(session);
  await setSearchPath("authors");
  for (const query of request.queries) {
    const failure = parentFailure(query, failures) ?? (await createQuery(session, query, unknown));
    if (failure !== null) failures.set(query.model, failure);
  }
  await setSearchPath("ours");
  return collectShapes(session, request.queries, failures, unknown);
}

const STATEMENT_TIMEOUT_MS = 60_000;
/** "weir" in ASCII; any number that nobody else uses in a scratch database would do. */
const SHAPES_LOCK = 0x77656972;

/** In order of name, like everybody else who makes them here. */
async function createSchemas(session: Session, request: ShapeRequest): Promise<void> {
  const relations = [...request.stubs.map((stub) => stub.relation), ...request.queries.map((query) => query.relation)];
  const names = [...new Set(relations.map((relation) => relation.schema))].sort(compareText);
  // IF NOT EXISTS would ask for the right to create schemas even where there is nothing to create.
  const present = new Set((await session.query(schemasQuery(names))).map((row) => row.nspname));
  for (const name of names) if (!present.has(name)) await session.execute(`CREATE SCHEMA ${quoteIdentifier(name)}`);
}

/** Names the model that is broken itself, not one that only reads it. */
function parentFailure(query: ShapeQuery, failures: ReadonlyMap<ModelKey, FailedShape>): FailedShape | null {
  for (const parent of query.parents) {
    const failure = failures.get(parent);
    if (failure !== undefined) {
      return { ok: false, reason: "parent", model: failure.reason === "parent" ? failure.model : parent };
    }
  }
  return null;
}

async function collectShapes(
  session: Session,
  queries: readonly ShapeQuery[],
  created: ReadonlyMap<ModelKey, FailedShape>,
  unknown: readonly UnknownColumn[],
): Promise<ReadonlyMap<ModelKey, Shape>> {
  const columns = await readColumns(session, queries);
  const uses = await readUnknownUses(session, unknown);
  const failures = new Map<ModelKey, FailedShape>();
  const shapes = new Map<ModelKey, Shape>();
  for (const query of queries) {
    const key = relationKey(query.relation);
    const used = uses.get(key);
    const failure =
      parentFailure(query, failures) ?? (used === undefined ? created.get(query.model) : missingColumns(used));
    if (failure !== undefined) failures.set(query.model, failure);
    shapes.set(query.model, failure ?? { ok: true, columns: columns.get(key) ?? [] });
  }
  return shapes;
}

async function readColumns(
  session: Session,
  queries: readonly ShapeQuery[],
): Promise<ReadonlyMap<string, readonly OutputColumn[]>> {
  const columns = new Map<string, OutputColumn[]>();
  for (const row of await session.query(shapeColumnsQuery(queries.map((query) => query.relation)))) {
    const key = relationKey({ schema: row.nspname, name: row.relname });
    const column = { name: row.attname, type: row.type, collation: row.collation };
    const list = columns.get(key);
    if (list === undefined) columns.set(key, [column]);
    else list.push(column);
  }
  return columns;
}

/** By view: the columns of unknown types that its query reads. */
async function readUnknownUses(
  session: Session,
  unknown: readonly UnknownColumn[],
): Promise<ReadonlyMap<string, readonly UnknownColumn[]>> {
  const uses = new Map<string, UnknownColumn[]>();
  if (unknown.length === 0) return uses;
  for (const row of await session.query(unknownUsesQuery(unknown))) {
    const key = relationKey({ schema: row.nspname, name: row.relname });
    const column = row.position === null ? undefined : unknown[row.position];
    uses.set(key, [...(uses.get(key) ?? []), ...(column === undefined ? unknown : [column])]);
  }
  return uses;
}
