import { systemClock, systemIds, systemWaiter } from "../../server/ambient.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { createShapeReader } from "../../server/engine/postgres/shape-reader.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import type { Services } from "../../server/operations/services.ts";
import { createProjectSource } from "../../server/project/load-project.ts";
import { openStateStore } from "../../server/state/postgres-state-store.ts";
import type { ClusterAddress } from "../postgres/cluster.ts";

export interface OpenedServices extends Services {
  readonly close: () => Promise<void>;
}

/** The real parts over one database that holds state and warehouse. */
export async function openServices(
  cluster: ClusterAddress,
  database: string,
  parser: SqlParser,
): Promise<OpenedServices> {
  const { host, port, user, password } = cluster;
  const state = await openStateStore({ connection: `postgresql://${user}:${password}@${host}:${port}/${database}` });
  const environment = {
    CRASH_HOST: host,
    CRASH_PORT: String(port),
    CRASH_USER: user,
    CRASH_PASSWORD: password,
    CRASH_DATABASE: database,
  };
  return {
    projects: createProjectSource({ parser, environment }),
    state,
    parser,
    shapes: async (gateway) =>
      createShapeReader({ connect: async () => ({ ...gateway.connection, database: "postgres" }) }),
    catalog: (gateway) => openWarehouse(gateway.connection),
    warehouse: (gateway) => openWarehouse(gateway.connection),
    clock: systemClock,
    ids: systemIds,
    waiter: systemWaiter,
    log: { info: () => undefined, warn: () => undefined },
    tool: "weir test",
    close: () => state.close(),
  };
}
