import pg from "pg";
import { openDemoServer } from "../../scripts/demo/demo-server.ts";
import { stopEmbedded } from "../../server/engine/embedded/open-embedded.ts";

export interface ShopWarehouse {
  readonly query: (sql: string) => Promise<readonly Record<string, unknown>[]>;
  /** Ends the embedded server with it. */
  readonly close: () => Promise<void>;
}

/** The demo's warehouse as somebody else sees it, to check what the product did there. */
export async function openWarehouse(home: string): Promise<ShopWarehouse> {
  const server = await openDemoServer(home);
  const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = server.environment;
  const client = new pg.Client({
    host: PGHOST,
    port: Number(PGPORT),
    user: PGUSER,
    password: PGPASSWORD,
    database: PGDATABASE,
  });
  await client.connect();
  return {
    query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    close: async () => {
      await client.end();
      await server.release();
      await stopEmbedded(home);
    },
  };
}
