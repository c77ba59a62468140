import { describe, expect, test } from "vitest";
import type { Guard } from "../../server/core/plan/action.ts";
import { aStep, aTransaction } from "../builders/write-transaction.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("rows");

const relation = { schema: "bi", name: "m" };
const remembered: Guard = { kind: "rows_remembered", relation };
const same: Guard = { kind: "rows_same", relation };

/** Makes `bi.m` of one query into one of another, between the two guards. */
async function remake(before: string, after: string, filled = "WITH DATA"): Promise<string | null> {
  await world.client.query(`CREATE MATERIALIZED VIEW bi.m AS ${before}`);
  const statements = ["DROP MATERIALIZED VIEW bi.m", `CREATE MATERIALIZED VIEW bi.m AS ${after} ${filled}`];
  const steps = [aStep(remembered, ...statements), aStep(same)];
  const run = world.warehouse.runTransaction(aTransaction(world.fences, steps));
  const fault = await run.then(() => null).catch(() => faultOf(run));
  if (fault !== null) expect(fault.kind).toBe("rows_differ");
  return fault?.message ?? null;
}

const values = (...rows: readonly string[]): string => `SELECT * FROM (VALUES ${rows.join(", ")}) AS t (a, b)`;
const others = (count: number): string => `bi.m would hold other rows when made again, as many (${count}) as before`;

describe("rows of a materialized view before and after", () => {
  test.each<readonly [string, string, string, string | null]>([
    ["the same rows", values("(1, 'x')", "(2, 'y')"), values("(1, 'x')", "(2, 'y')"), null],
    ["the same in another order", values("(1, 'x')", "(2, 'y')"), values("(2, 'y')", "(1, 'x')"), null],
    ["no rows", "SELECT 1 AS a WHERE false", "SELECT 2 AS a WHERE false", null],
    ["no columns", "SELECT FROM (VALUES (1), (2)) AS t", "SELECT FROM (VALUES (3), (4)) AS t", null],
    [
      "one row more",
      values("(1, 'x')"),
      values("(1, 'x')", "(1, 'x')"),
      "bi.m held 1 row and would hold 2 when made again",
    ],
    [
      "all rows gone",
      values("(1, 'x')", "(2, 'x')"),
      `${values("(1, 'x')")} WHERE false`,
      "bi.m held 2 rows and would hold 0 when made again",
    ],
    ["another value", values("(1, 'x')", "(2, 'y')"), values("(1, 'x')", "(2, 'z')"), others(2)],
    ["values of two rows swapped", values("(1, 'x')", "(2, 'y')"), values("(1, 'y')", "(2, 'x')"), others(2)],
    ["columns swapped", "SELECT 1 AS a, 2 AS b", "SELECT 2 AS a, 1 AS b", others(1)],
    ["NULL and an empty text", values("(1, NULL::text)"), values("(1, '')"), others(1)],
    [
      "two equal rows for two other equal ones",
      values("(1, 'x')", "(1, 'x')"),
      values("(2, 'x')", "(2, 'x')"),
      others(2),
    ],
    ["a comma in a text", values("('a,b', 'c')"), values("('a', 'b,c')"), others(1)],
    [
      "fractions beyond what is usually shown",
      "SELECT 0.1::float8 + 0.2::float8 AS a",
      "SELECT 0.3::float8 AS a",
      others(1),
    ],
    [
      "types that can't be compared",
      "SELECT '{\"a\": 1}'::json AS a, point(1, 2) AS r",
      "SELECT '{\"a\": 2}'::json AS a, point(1, 2) AS r",
      others(1),
    ],
    [
      "columns that are called like what we call the rows",
      "SELECT 1 AS r, 2 AS line, 3 AS t",
      "SELECT 1 AS r, 2 AS line, 3 AS t",
      null,
    ],
  ])("%s", async (_what, before, after, message) => {
    expect(await remake(before, after)).toBe(message);
  });

  test("a view that wasn't filled stays so, and one that was doesn't lose its rows", async () => {
    expect(await remake("SELECT 1 AS a WITH NO DATA", "SELECT 2 AS a", "WITH NO DATA")).toBeNull();
    await world.client.query("DROP MATERIALIZED VIEW bi.m");
    expect(await remake("SELECT 1 AS a WITH NO DATA", "SELECT 2 AS a")).toBe("bi.m wasn't filled and is now");
    await world.client.query("DROP MATERIALIZED VIEW bi.m");
    expect(await remake("SELECT 1 AS a", "SELECT 1 AS a", "WITH NO DATA")).toBe("bi.m was filled and isn't now");
  });

  test("rows that change underneath between two readings of one transaction", async () => {
    await world.client.query(
      "INSERT INTO shop.t SELECT generate_series(1, 1000); CREATE MATERIALIZED VIEW bi.m AS TABLE shop.t",
    );
    const steps = [
      aStep(remembered, "REFRESH MATERIALIZED VIEW bi.m"),
      aStep(same, "UPDATE shop.t SET id = 0 WHERE id = 7"),
      aStep("REFRESH MATERIALIZED VIEW bi.m"),
      aStep(same),
    ];
    const fault = await faultOf(world.warehouse.runTransaction(aTransaction(world.fences, steps)));
    expect(fault.details).toEqual([others(1000)]);
    expect(await world.value("SELECT count(*)::int FROM shop.t WHERE id = 0")).toBe(0);
  });

  test("nothing is remembered from one transaction to the next, and what is gone is said to be", async () => {
    const run = (guard: Guard) => world.warehouse.runTransaction(aTransaction(world.fences, [aStep(guard)]));
    expect(await faultOf(run(remembered))).toMatchObject({ kind: "guard_failed", details: ["bi.m is gone"] });
    await world.client.query("CREATE MATERIALIZED VIEW bi.m AS SELECT 1 AS a");
    await run(remembered);
    await expect(run(same)).rejects.toThrow("nothing was remembered");
  });
});
