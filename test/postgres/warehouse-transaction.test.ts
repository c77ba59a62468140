import { describe, expect, test } from "vitest";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import type { WriteTransaction } from "../../server/ports/warehouse.ts";
import { aStatement, aStep, aTransaction } from "../builders/write-transaction.ts";
import { connectionTo } from "./connection.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("transaction");

describe("runs a transaction", () => {
  test("whole, with its rows, its marker and the environment's record, and says so when asked again", async () => {
    const seed = {
      relation: { schema: "shop", name: "t" },
      rows: {
        columns: ["id", "name"],
        rows: [
          ["1", "a\tb\\\n"],
          [null, ""],
          ["3", "\\N"],
        ],
      },
    };
    const marker = { project: "p", environment: "prod", promotion: 7, digest: "d" };
    const whole: WriteTransaction = {
      ...aTransaction(world.fences, [
        aStep("INSERT INTO shop.t (id) VALUES (10), (11)", "DELETE FROM shop.t WHERE id = 11"),
        aStep("CREATE TABLE shop.made AS SELECT id FROM shop.t"),
        { searchPath: "authors", guards: [], statements: [], seed },
      ]),
      environmentMarker: marker,
    };
    expect(await world.warehouse.runTransaction(whole)).toEqual({ found: false, rows: 2 + 1 + 3 });
    const { rows } = await world.client.query("SELECT id, name FROM shop.t WHERE id IS DISTINCT FROM 10 ORDER BY id");
    expect(rows).toEqual([
      { id: 1, name: "a\tb\\\n" },
      { id: 3, name: "\\N" },
      { id: null, name: "" },
    ]);
    expect(await world.warehouse.readEnvironmentMarker("p", "prod")).toEqual(marker);
    expect(await world.warehouse.readMarkers("r1")).toContainEqual(whole.marker);
    expect(await world.warehouse.runTransaction(whole)).toEqual({ found: true, rows: null });
    expect(await world.value("SELECT count(*)::int FROM shop.t")).toBe(4);
  });

  test("or not at all, with the server's words and the statement", async () => {
    const refused = aTransaction(world.fences, [aStep("CREATE TABLE shop.made (id int)", "SELECT nope FROM shop.t")]);
    const fault = await faultOf(world.warehouse.runTransaction(refused));
    expect(fault).toMatchObject({ kind: "refused", sqlstate: "42703", message: 'column "nope" does not exist' });
    expect(fault.statement).toBe("/* WEIR plan=abc234 stage=promotion */ SELECT nope FROM shop.t");
    expect(await world.value("SELECT to_regclass('shop.made')")).toBeNull();
    expect(await world.warehouse.readMarkers("r1")).not.toContainEqual(refused.marker);
  });

  test("and tells nothing of the rows when one of them is refused", async () => {
    await world.client.query("ALTER TABLE shop.t ADD CHECK (id > 0)");
    const rows = { columns: ["id", "name"], rows: [["-1", "hush"]] };
    const seed = { relation: { schema: "shop", name: "t" }, rows };
    const fault = await faultOf(
      world.warehouse.runTransaction(
        aTransaction(world.fences, [{ searchPath: "authors", guards: [], statements: [], seed }]),
      ),
    );
    expect(fault).toMatchObject({ kind: "refused", sqlstate: "23514" });
    expect(JSON.stringify(fault)).not.toContain("hush");
  });

  test.each(["COMMIT", "/* a /* b */ */ -- c\n Rollback", "end;", "PREPARE TRANSACTION 'x'", "savepoint s"])(
    "and refuses a statement that would end it: %s",
    async (sql) => {
      const fault = await faultOf(
        world.warehouse.runTransaction(aTransaction(world.fences, [aStep("CREATE TABLE shop.made (id int)", sql)])),
      );
      expect(fault).toMatchObject({ kind: "refused", sqlstate: "2D000" });
      expect(await world.value("SELECT to_regclass('shop.made')")).toBeNull();
    },
  );

  test("with timeouts for each statement, none left over for the next", async () => {
    const show =
      "INSERT INTO shop.t (name) SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')";
    await world.warehouse.runTransaction(
      aTransaction(world.fences, [
        aStep(
          aStatement(show, { lockTimeoutMs: 250, statementTimeoutMs: 0 }),
          aStatement(show, { lockTimeoutMs: 100 }),
          show,
        ),
      ]),
    );
    const { rows } = await world.client.query("SELECT name FROM shop.t ORDER BY ctid");
    expect(rows.map((row) => row.name)).toEqual(["250ms 0", "100ms 0", "0 0"]);
  });
});

describe("keeps whoever was taken over from writing", () => {
  test("a transaction of an older epoch ends as fence_lost and writes nothing", async () => {
    await world.warehouse.takeFences(["env:prod"]);
    const fault = await faultOf(
      world.warehouse.runTransaction(aTransaction(world.fences, [aStep("CREATE TABLE shop.made (id int)")])),
    );
    expect(fault).toMatchObject({ kind: "fence_lost", details: ["env:prod"] });
    expect(await world.value("SELECT to_regclass('shop.made')")).toBeNull();
  });

  test("one of several fences is enough, and a scope that nobody ever took is lost too", async () => {
    const both = await world.warehouse.takeFences(["version:b", "env:prod"]);
    expect(both.map((fence) => fence.scope)).toEqual(["env:prod", "version:b"]);
    await world.warehouse.takeFences(["version:b"]);
    expect(await faultOf(world.warehouse.runTransaction(aTransaction(both, [])))).toMatchObject({
      details: ["version:b"],
    });
    const never = [{ scope: "version:never", epoch: 1 }];
    expect(await faultOf(world.warehouse.runTransaction(aTransaction(never, [])))).toMatchObject({
      kind: "fence_lost",
    });
  });

  test("one that is still at work is ended, and nothing of it stays", async () => {
    const other = await openWarehouse(connectionTo(world.database));
    const long = aTransaction(world.fences, [aStep("CREATE TABLE shop.made (id int)", "SELECT pg_sleep(600)")]);
    const lost = faultOf(other.runTransaction(long));
    await world.until(
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' AND state = 'active' AND pid <> pg_backend_pid()",
    );
    const [taken] = await world.warehouse.takeFences(["env:prod"]);
    expect(taken?.epoch).toBe((world.fences[0]?.epoch ?? 0) + 1);
    expect(await lost).toMatchObject({ kind: "connection_lost" });
    expect(await world.value("SELECT to_regclass('shop.made')")).toBeNull();
    await other.close();
  });
});
