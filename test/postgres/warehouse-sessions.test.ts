import pg from "pg";
import { expect, test } from "vitest";
import { internalSchemaStatements } from "../../server/core/engine/postgres/internal-schema.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { aStatement, aStep, aTag, aTransaction } from "../builders/write-transaction.ts";
import { connectionTo } from "./connection.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";
import { createDatabase, createRole } from "./database.ts";
import { openPoolingProxy } from "./pooling-proxy.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("sessions");

test("sets weir_internal up once, whoever races, and answers with nothing before", async () => {
  const fresh = await createDatabase("fresh");
  const both = await Promise.all([openWarehouse(connectionTo(fresh)), openWarehouse(connectionTo(fresh))]);
  const request = { project: "p", environment: "prod", schemas: [], relations: [], closures: [] };
  expect(await both[0].readMarkers("r")).toEqual([]);
  expect(await both[0].readEnvironmentMarker("p", "prod")).toBeNull();
  await Promise.all(both.map((each) => each.setUpInternal(internalSchemaStatements())));
  expect((await both[0].readCatalog(request)).internalReady).toBe(true);
  await Promise.all(both.map((each) => each.close()));
});

test("works as the gateway's role: what it makes is that role's, and so are its rights", async () => {
  const owner = await createRole(world.database, "owner", "NOLOGIN");
  await world.client.query(`GRANT USAGE, CREATE ON SCHEMA shop TO "${owner.name}"`);
  await world.client.query(`GRANT USAGE ON SCHEMA weir_internal TO "${owner.name}"`);
  await world.client.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA weir_internal TO "${owner.name}"`);
  const asOwner = await openWarehouse(connectionTo(world.database, { role: owner.name }));
  await asOwner.runTransaction(aTransaction(world.fences, [aStep("CREATE TABLE shop.made (id int)")]));
  expect(await world.value("SELECT tableowner::text FROM pg_tables WHERE tablename = 'made'")).toBe(owner.name);
  const catalog = await asOwner.readCatalog({
    project: "p",
    environment: "x",
    schemas: [],
    relations: [],
    closures: [],
  });
  expect(catalog.server).toMatchObject({ role: owner.name, superuser: false });
  expect(await faultOf(asOwner.runTransaction(aTransaction(world.fences, [aStep("DROP TABLE shop.t")])))).toMatchObject(
    {
      sqlstate: "42501",
    },
  );
  await asOwner.close();
});

test("runs alone what no transaction takes, and leaves no timeout behind", async () => {
  const index = aStatement("CREATE INDEX CONCURRENTLY t_id ON shop.t (id)", {
    lockTimeoutMs: 1_000,
    statementTimeoutMs: 0,
    alone: true,
  });
  await world.warehouse.runAlone(index, aTag);
  expect(await world.value("SELECT indisvalid FROM pg_index WHERE indexrelid = 'shop.t_id'::regclass")).toBe(true);
  const show = "INSERT INTO shop.t (name) SELECT current_setting('lock_timeout')";
  await world.warehouse.runTransaction(aTransaction(world.fences, [aStep(show)]));
  expect(await world.value("SELECT name FROM shop.t")).toBe("0");
});

test("reads the catalog with nothing but SELECT in a read-only transaction", async () => {
  const proxy = await openCuttingProxy(world.database);
  const watched = await openWarehouse(connectionTo(world.database, { host: "127.0.0.1", port: proxy.port }));
  const v = { schema: "shop", name: "v" };
  await watched.readCatalog({ project: "p", environment: "prod", schemas: ["shop"], relations: [v], closures: [v] });
  const words = proxy.statements().map((text) => text.trimStart().split(/\s/, 1)[0]);
  expect([...new Set(words)].sort()).toEqual(["BEGIN", "COMMIT", "SELECT", "SET"]);
  expect(proxy.statements().find((text) => text.startsWith("BEGIN"))).toContain("READ ONLY");
  await watched.close();
  await proxy.close();
});

test("reads through a pooler in transaction mode without leaving a setting behind, and refuses to write", async () => {
  const pooler = await openPoolingProxy(world.database);
  const address = { host: "127.0.0.1", port: pooler.port };
  const pooled = await openWarehouse(connectionTo(world.database, address));
  const request = { project: "p", environment: "prod", schemas: ["shop"], relations: [], closures: [] };
  expect((await pooled.readCatalog(request)).schemas).toHaveLength(1);
  const somebody = new pg.Client({ ...world.database, ...address });
  await somebody.connect();
  const { rows } = await somebody.query("SELECT current_setting('search_path') AS path");
  expect(rows[0].path).toBe('"$user", public');
  await expect(pooled.takeFences(["env:prod"])).rejects.toThrow(/pooler in transaction mode/);
  await somebody.end();
  await pooled.close();
  await pooler.close();
});
