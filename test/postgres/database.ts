import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import type { ClusterAddress } from "./cluster.ts";

export interface TestDatabase extends ClusterAddress {
  readonly database: string;
  readonly url: string;
}

export interface TestRole {
  readonly name: string;
  readonly password: string;
}

/**
 * A database of its own for a test file, dropped after it. Call it at the top of the file (or of a describe block):
 *
 *     const database = await createDatabase("closure");
 *     const client = new pg.Client(database);
 */
export async function createDatabase(name = "test"): Promise<TestDatabase> {
  const cluster = inject("cluster");
  const database = unique(name);
  await asAdmin((client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} TEMPLATE template1`));
  afterAll(async () => {
    // With whoever is still connected: a forgotten client must not fail the run.
    await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`));
  });
  const { user, password, host, port } = cluster;
  return { ...cluster, database, url: `postgresql://${user}:${password}@${host}:${port}/${database}` };
}

/**
 * A role that may log in, with a name that no other test has: roles belong to the whole cluster. Dropped after the
 * file with all it owns in `database`; so give it things in that database alone. Call it after `createDatabase`.
 */
export async function createRole(database: TestDatabase, name = "role", attributes = "LOGIN"): Promise<TestRole> {
  const role = { name: unique(name), password: randomBytes(8).toString("hex") };
  const quoted = pg.escapeIdentifier(role.name);
  await asAdmin((client) => client.query(`CREATE ROLE ${quoted} ${attributes} PASSWORD '${role.password}'`));
  // Vitest runs afterAll in reverse: this one while the database is still there.
  afterAll(async () => {
    await withClient(database, (client) => client.query(`DROP OWNED BY ${quoted}`));
    await asAdmin((client) => client.query(`DROP ROLE ${quoted}`));
  });
  return role;
}

/** The same place, as somebody else. */
export function asRole(database: TestDatabase, role: TestRole): TestDatabase {
  const { host, port } = database;
  const url = `postgresql://${role.name}:${role.password}@${host}:${port}/${database.database}`;
  return { ...database, user: role.name, password: role.password, url };
}

function unique(name: string): string {
  return `${name.slice(0, 40)}_${randomBytes(5).toString("hex")}`;
}

function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ ...inject("cluster"), database: "postgres" }, work);
}

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
