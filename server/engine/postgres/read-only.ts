import type { Captures } from "../../core/catalog/captured.ts";
import type { Catalog, ObjectName } from "../../core/catalog/catalog.ts";
import type { CatalogRequest } from "../../ports/warehouse.ts";
import { namingBlockers } from "./blockers.ts";
import { readCaptures } from "./capture/read-captures.ts";
import { readCatalog } from "./catalog/read-catalog.ts";
import { inTransaction } from "./in-transaction.ts";
import type { RunQuery } from "./query.ts";
import type { SessionPool } from "./session-pool.ts";

/**
 * Deparsing a view takes ACCESS SHARE on what it reads, so planning can have to wait, for a refresh say. It would queue
 * for as long as that takes; better to say who is in the way.
 */
const READ_LOCK_TIMEOUT_MS = 10_000;

/** One snapshot for all of it: nothing that is compared with something else was read at another moment. */
export function readCatalogOnce(pool: SessionPool, request: CatalogRequest): Promise<Catalog> {
  return inSnapshot(pool, (run) => readCatalog(run, request));
}

export function readCapturesOnce(pool: SessionPool, objects: readonly ObjectName[]): Promise<Captures> {
  return inSnapshot(pool, (run) => readCaptures(run, objects));
}

function inSnapshot<T>(pool: SessionPool, read: (run: RunQuery) => Promise<T>): Promise<T> {
  return pool.use((session) =>
    inTransaction(session, "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", async () => {
      await session.execute(`SET LOCAL lock_timeout = ${READ_LOCK_TIMEOUT_MS}`);
      return namingBlockers(pool, session, READ_LOCK_TIMEOUT_MS, () => read(session.query));
    }),
  );
}
