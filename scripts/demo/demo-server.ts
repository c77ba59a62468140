import { readFileSync } from "node:fs";
import pg from "pg";
import { type EmbeddedServer, openEmbedded } from "../../server/engine/embedded/open-embedded.ts";

/** The database that plays the shop's warehouse, beside the one that Weir keeps its state in. */
const WAREHOUSE = "shop";

export interface DemoServer {
  /** What the shop's config.yaml reads, and where state is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a file of statements in the warehouse, as whoever built it there. */
  readonly runFile: (file: string) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Starts the embedded server of `home`, or uses the one that runs there. */
export async function openDemoServer(home: string): Promise<DemoServer> {
  const server = await openEmbedded({ home });
  await withClient(server.url("weir"), async (client) => {
    const found = await client.query("SELECT FROM pg_database WHERE datname = $1", [WAREHOUSE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${WAREHOUSE}`);
  });
  return {
    environment: environmentOf(server, home),
    runFile: (file) =>
      withClient(server.url(WAREHOUSE), async (client) => void (await client.query(readFileSync(file, "utf8")))),
    release: () => server.release(),
  };
}

function environmentOf(server: EmbeddedServer, home: string): Readonly<Record<string, string>> {
  return {
    PGHOST: server.host,
    PGPORT: String(server.port),
    PGUSER: server.user,
    PGPASSWORD: server.password,
    PGDATABASE: WAREHOUSE,
    WEIR_STATE_URL: server.url("weir"),
    WEIR_HOME: home,
  };
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
