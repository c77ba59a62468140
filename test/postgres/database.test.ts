import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { rows } from "../embedded/rows.ts";
import { asRole, createDatabase, createRole } from "./database.ts";

// Registered first, so run last: after what createDatabase and createRole clear away.
afterAll(async () => {
  const { host, port, user, password } = inject("cluster");
  const found = await rows(
    `postgresql://${user}:${password}@${host}:${port}/postgres`,
    `SELECT datname AS name FROM pg_database WHERE datname = '${database.database}'
     UNION SELECT rolname FROM pg_roles WHERE rolname = '${role.name}'`,
  );
  expect(found).toEqual([]);
});

const database = await createDatabase("own");
const role = await createRole(database);

test("a file has a database and roles of its own, and leaves nothing, not even with a client still connected", async () => {
  expect(await rows(database.url, "SELECT current_database() AS name")).toEqual([{ name: database.database }]);
  await rows(database.url, `GRANT CREATE ON SCHEMA public TO ${role.name}`);
  await rows(asRole(database, role).url, "CREATE TABLE mine AS SELECT 1 AS n");
  await new pg.Client(database).on("error", () => {}).connect();
});
