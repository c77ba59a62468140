import { type RelationName, relationKey } from "../../../core/base/relation-name.ts";
import type { Catalog, CatalogSchema, ServerFacts } from "../../../core/catalog/catalog.ts";
import {
  BATCH_MARKER,
  ENVIRONMENT_MARKER,
  FENCE,
  INTERNAL_SCHEMA,
} from "../../../core/engine/postgres/internal-schema.ts";
import type { CatalogRequest } from "../../../ports/warehouse.ts";
import type { RunQuery } from "../query.ts";
import { environmentMarkerQuery } from "./environment-marker-query.ts";
import { readClosures } from "./read-closures.ts";
import { relationOidsQuery } from "./relation-oids-query.ts";
import { type SchemaRow, schemasQuery } from "./schemas-query.ts";
import { type ServerFactsRow, serverFactsQuery } from "./server-facts-query.ts";

const INTERNAL_TABLES: readonly string[] = [FENCE.name, BATCH_MARKER.name, ENVIRONMENT_MARKER.name];

/** Reads the catalog with SELECT alone. The caller opened the transaction: one snapshot, read only, empty search_path. */
export async function readCatalog(run: RunQuery, request: CatalogRequest): Promise<Catalog> {
  const facts = await readServerFacts(run);
  const internalReady = facts.internal_tables === INTERNAL_TABLES.length;
  const oids = await readOids(run, [...request.relations, ...request.closures]);
  const found = await readClosures(run, known(request.closures, oids), known(request.relations, oids));
  return {
    server: serverFacts(facts),
    schemas: (await run(schemasQuery(request.schemas))).map(schemaFromRow).sort(bySchema),
    relations: found.relations,
    closures: found.closures,
    environmentMarker: internalReady ? await readMarker(run, request) : null,
    internalReady,
  };
}

async function readServerFacts(run: RunQuery): Promise<ServerFactsRow> {
  const [row] = await run(serverFactsQuery(INTERNAL_SCHEMA, INTERNAL_TABLES));
  if (row === undefined) throw new Error("the server doesn't list the role of its own session");
  return row;
}

function serverFacts(row: ServerFactsRow): ServerFacts {
  return {
    version: row.server_version_num,
    database: row.current_database,
    role: row.current_user,
    superuser: row.rolsuper,
    mayCreateSchemas: row.may_create_schemas,
    deadlockTimeoutMs: row.deadlock_timeout_ms,
    lockSlots: row.lock_slots,
  };
}

function schemaFromRow(row: SchemaRow): CatalogSchema {
  return { name: row.nspname, owner: row.owner, mayCreate: row.may_create, mayUse: row.may_use };
}

function bySchema(a: CatalogSchema, b: CatalogSchema): number {
  return a.name < b.name ? -1 : 1;
}

async function readOids(run: RunQuery, names: readonly RelationName[]): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await run(relationOidsQuery(names));
  return new Map(rows.map((row) => [relationKey({ schema: row.nspname, name: row.relname }), row.oid]));
}

function known(names: readonly RelationName[], oids: ReadonlyMap<string, number>): readonly number[] {
  const found = names.map((name) => oids.get(relationKey(name))).filter((oid) => oid !== undefined);
  return [...new Set(found)];
}

async function readMarker(run: RunQuery, request: CatalogRequest): Promise<Catalog["environmentMarker"]> {
  const [row] = await run(environmentMarkerQuery(request.project, request.environment));
  return row === undefined ? null : { promotion: Number(row.promotion), digest: row.digest };
}
