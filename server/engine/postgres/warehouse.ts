import type { ConnectionSettings } from "../../ports/project-source.ts";
import type { CatalogReader } from "../../ports/warehouse.ts";
import { checkServer } from "./check-server.ts";
import { connectionTarget } from "./connection-target.ts";
import { readCatalogOnce } from "./read-only.ts";
import { createSessionPool } from "./session-pool.ts";

export async function openWarehouse(
  connection: ConnectionSettings,
): Promise<CatalogReader & { close(): Promise<void> }> {
  const pool = createSessionPool(connection);
  await pool.use((session) => checkServer(session.query, connectionTarget(connection)));
  return {
    readCatalog: (request) => readCatalogOnce(pool, request),
    close: () => pool.close(),
  };
}
