import { randomBytes } from "node:crypto";
import { realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { clusterFolder } from "../server/engine/embedded/cluster-folder.ts";
import { openEmbedded, stopEmbedded } from "../server/engine/embedded/open-embedded.ts";
import { runningPostmaster } from "../server/engine/embedded/postmaster-file.ts";
import { readProcessCpuMs } from "./measure/machine.ts";

export interface BenchServer {
  /** A new, empty database; of the same name before, nothing is left. */
  readonly createDatabase: (name: string) => Promise<BenchDatabase>;
  readonly readCpuMs: () => number;
  readonly version: string;
  readonly close: () => Promise<void>;
}

export interface BenchDatabase {
  readonly url: string;
  /** What both tools' configuration reads, and where Weir finds the server for shapes: this one, running already. */
  readonly environment: Readonly<Record<string, string>>;
  readonly query: <Row extends pg.QueryResultRow>(sql: string) => Promise<readonly Row[]>;
}

/**
 * A real PostgreSQL of its own in a temporary folder, with fsync, as a warehouse has it. One server for both tools and
 * for shapes, so that no measurement holds the start of one.
 */
export async function openBenchServer(): Promise<BenchServer> {
  const home = join(tmpdir(), `weir-bench-${randomBytes(6).toString("hex")}`);
  const server = await openEmbedded({ home, idleSeconds: 3_600 });
  const data = clusterFolder(realpathSync(home)).data;
  const pid = runningPostmaster(data)?.pid;
  if (pid === undefined) throw new Error("the server has no process");
  const admin = server.url("postgres");
  const [row] = await ask<{ server_version: string }>(admin, "SHOW server_version");
  return {
    version: row?.server_version ?? "?",
    readCpuMs: () => readProcessCpuMs(pid),
    createDatabase: async (name) => {
      const quoted = pg.escapeIdentifier(name);
      await ask(admin, `DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`);
      await ask(admin, `CREATE DATABASE ${quoted}`);
      const url = server.url(name);
      const { host, port, user, password } = server;
      const environment = {
        PGHOST: host,
        PGPORT: String(port),
        PGUSER: user,
        PGPASSWORD: password,
        PGDATABASE: name,
        WEIR_HOME: home,
      };
      return { url, environment, query: (sql) => ask(url, sql) };
    },
    close: async () => {
      await server.release();
      await stopEmbedded(home);
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
