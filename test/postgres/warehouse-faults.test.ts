import pg from "pg";
import { describe, expect, test } from "vitest";
import { WarehouseError } from "../../server/core/catalog/warehouse-error.ts";
import type { Guard } from "../../server/core/plan/action.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { aStatement, aStep, aTransaction } from "../builders/write-transaction.ts";
import { connectionTo } from "./connection.ts";
import { asRole, createDatabase, createRole, type TestDatabase, type TestRole } from "./database.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("faults");

describe("says who is in the way", () => {
  test("of a statement that didn't get its lock", async () => {
    const reader = await world.connect();
    await reader.query("BEGIN");
    await reader.query("SELECT * FROM shop.v");
    const replace = aStatement("CREATE OR REPLACE VIEW shop.v AS SELECT id, name FROM shop.t WHERE id > 0", {
      lockTimeoutMs: 500,
    });
    const fault = await faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep(replace)])));
    expect(fault).toMatchObject({ kind: "lock_timeout", sqlstate: "55P03" });
    expect(fault.details).toHaveLength(1);
    expect(fault.details[0]).toMatch(
      new RegExp(`^pid \\d+ ${world.database.user} "SELECT \\* FROM shop.v" since \\d+ s, idle in its transaction$`),
    );
  });

  test("of a guard that didn't get its lock", async () => {
    const reader = await world.connect();
    const guard: Guard = {
      kind: "unchanged",
      relation: { schema: "shop", name: "v" },
      fingerprint: await world.fingerprint("v"),
    };
    await reader.query("BEGIN");
    await reader.query("SELECT * FROM shop.v");
    const fault = await faultOf(
      world.warehouse.runTransaction(
        aTransaction(world.fences, [aStep(guard, aStatement("SELECT 1", { lockTimeoutMs: 500 }))]),
      ),
    );
    expect(fault.kind).toBe("lock_timeout");
    expect(fault.details[0]).toMatch(/^pid \d+ /);
  });
});

describe("tells apart why a statement ended early", () => {
  test("a deadlock", async () => {
    await world.client.query("CREATE TABLE shop.a (); CREATE TABLE shop.b ()");
    const holder = await world.connect();
    await holder.query("SELECT pg_advisory_lock(43)");
    const other = await world.connect();
    // The server ends whoever looks first; this one looks late.
    await other.query("SET deadlock_timeout = '60s'");
    await other.query("BEGIN");
    await other.query("LOCK TABLE shop.b");
    const locks = ["LOCK TABLE shop.a", "SELECT pg_advisory_xact_lock(43)", "LOCK TABLE shop.b"];
    const run = faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep(...locks)])));
    await world.until("SELECT count(*) > 0 FROM pg_locks WHERE granted AND relation = 'shop.a'::regclass");
    const theirs = other.query("LOCK TABLE shop.a");
    await world.until("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND relation = 'shop.a'::regclass");
    await holder.query("SELECT pg_advisory_unlock(43)");
    expect(await run).toMatchObject({ kind: "deadlock", sqlstate: "40P01" });
    await theirs;
  });

  test("its own timeout is a refusal, our cancel is not", async () => {
    const slow = aStatement("SELECT pg_sleep(600)", { statementTimeoutMs: 50 });
    const timeout = await faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep(slow)])));
    expect(timeout).toMatchObject({ kind: "refused", sqlstate: "57014" });
    const cancelled = faultOf(
      world.warehouse.runTransaction(aTransaction(world.fences, [aStep("SELECT pg_sleep(500)")])),
    );
    await world.until(
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(500)' AND state = 'active' AND pid <> pg_backend_pid()",
    );
    await world.warehouse.cancel();
    expect(await cancelled).toMatchObject({ kind: "cancelled" });
    // And it is as good as new afterwards.
    expect(await world.warehouse.runTransaction(aTransaction(world.fences, []))).toEqual({ found: false, rows: null });
  });

  test("a session that an administrator ended is a lost connection, and the next call gets another", async () => {
    const lost = faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep("SELECT pg_sleep(400)")])));
    const mine = "query LIKE '%pg_sleep(400)' AND state = 'active' AND pid <> pg_backend_pid()";
    await world.until(`SELECT count(*) > 0 FROM pg_stat_activity WHERE ${mine}`);
    await world.client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${mine}`);
    expect(await lost).toMatchObject({ kind: "connection_lost" });
    expect((await world.warehouse.readMarkers("r1")).length).toBeGreaterThan(0);
  });
});

describe("messages of the warehouse", () => {
  const password = "p@ss/w:rd%21";

  test.each([
    ["nobody listens", { port: 1 }],
    ["the password is wrong", { password }],
    ["the database is missing", { database: "no_such_database", right: true }],
    ["the role is missing", { role: "no_such_role", right: true }],
    ["the name can't be resolved", { host: "no-such-host.invalid" }],
  ] as const)(
    "name the target and never the password where %s",
    async (_what, { right, ...changes }: { right?: boolean } & object) => {
      const database = await createDatabase("messages");
      const user = await createRole(database, "ilse");
      await setPassword(database, user, password);
      const settings = connectionTo(asRole(database, user), {
        password: right === true ? password : "wrong",
        ...changes,
      });
      const opening = openWarehouse({ ...settings, password });
      const error: unknown = await (right === true || !("password" in changes)
        ? opening
        : openWarehouse({ ...settings, password: `${password}x` })
      ).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(WarehouseError);
      const everything = describeWhole(error);
      for (const secret of [password, encodeURIComponent(password), "p%40ss", "w:rd"])
        expect(everything).not.toContain(secret);
      if (error instanceof WarehouseError && error.fault.kind === "unreachable") {
        expect(error.message).toContain(`${settings.host}:${settings.port} as ${settings.user}`);
      }
    },
  );

  async function setPassword(database: TestDatabase, role: TestRole, text: string): Promise<void> {
    const client = new pg.Client(database);
    await client.connect();
    await client.query(`ALTER ROLE "${role.name}" PASSWORD '${text}'`);
    await client.end();
  }

  function describeWhole(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const own = JSON.stringify(error, Object.getOwnPropertyNames(error));
    return [
      own,
      error.stack,
      String(error),
      error instanceof WarehouseError ? JSON.stringify(error.fault) : "",
      describeWhole(error.cause),
    ].join("\n");
  }
});
