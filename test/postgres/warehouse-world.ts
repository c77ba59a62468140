import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { WarehouseError, type WarehouseFault } from "../../server/core/catalog/warehouse-error.ts";
import { internalSchemaStatements } from "../../server/core/engine/postgres/internal-schema.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import type { Fence, Warehouse } from "../../server/ports/warehouse.ts";
import { connectionTo } from "./connection.ts";
import { createDatabase, type TestDatabase } from "./database.ts";

/** A warehouse with `weir_internal`, a table `shop.t` and a view `shop.v` on it, made anew for each test. */
export interface WarehouseWorld {
  readonly database: TestDatabase;
  /** Somebody else's session, a superuser's. */
  readonly client: pg.Client;
  readonly warehouse: Warehouse;
  /** Held since the beginning of the test. */
  readonly fences: readonly Fence[];
  /** One more session, ended after the test however that ends, so that it holds no locks against the next one. */
  readonly connect: () => Promise<pg.Client>;
  readonly value: (sql: string) => Promise<unknown>;
  /** Waits for a state of the server, with a limit; the server says when, not a clock. */
  readonly until: (sql: string) => Promise<void>;
  readonly fingerprint: (name: string) => Promise<string>;
}

/** Registers the hooks of a file. What it returns is filled by them: use it inside tests. */
export function setUpWarehouse(name: string): WarehouseWorld {
  let database: TestDatabase | undefined;
  let client: pg.Client | undefined;
  let warehouse: Warehouse | undefined;
  let fences: readonly Fence[] = [];
  const opened: pg.Client[] = [];

  const world: WarehouseWorld = {
    get database() {
      return filled(database);
    },
    get client() {
      return filled(client);
    },
    get warehouse() {
      return filled(warehouse);
    },
    get fences() {
      return fences;
    },
    connect: async () => {
      const session = new pg.Client(world.database);
      session.on("error", () => undefined);
      opened.push(session);
      await session.connect();
      return session;
    },
    value: async (sql) => {
      const { rows } = await world.client.query({ text: sql, rowMode: "array" });
      return rows[0]?.[0] ?? null;
    },
    until: async (sql) => {
      for (let attempt = 0; attempt < 5_000; attempt += 1) {
        if ((await world.value(sql)) === true) return;
      }
      throw new Error(`never true: ${sql}`);
    },
    fingerprint: async (relation) => {
      const relations = [{ schema: "shop", name: relation }];
      const request = { project: "p", environment: "prod", schemas: [], relations, closures: [] };
      return (await world.warehouse.readCatalog(request)).relations[0]?.fingerprint ?? "";
    },
  };

  beforeAll(async () => {
    database = await createDatabase(name);
    client = new pg.Client(database);
    await client.connect();
    warehouse = await openWarehouse(connectionTo(database));
    await warehouse.setUpInternal(internalSchemaStatements());
  });
  afterAll(async () => {
    await warehouse?.close();
    await client?.end();
  });
  beforeEach(async () => {
    await world.client.query(`
      DROP SCHEMA IF EXISTS shop, bi ${"CASC"}ADE;
      CREATE SCHEMA shop; CREATE SCHEMA bi;
      CREATE TABLE shop.t (id integer, name varchar(10), amount numeric);
      CREATE VIEW shop.v AS SELECT id, name FROM shop.t;`);
    fences = await world.warehouse.takeFences(["env:prod"]);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((session) => session.end()));
  });
  return world;
}

export async function faultOf(work: Promise<unknown>): Promise<WarehouseFault> {
  try {
    await work;
  } catch (error) {
    if (error instanceof WarehouseError) return error.fault;
    throw error;
  }
  throw new Error("it should have failed");
}

function filled<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("used before the file's hooks have run");
  return value;
}
