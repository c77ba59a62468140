import { describe, expect, test } from "vitest";
import type { Captured, CapturedAspect } from "../../server/core/catalog/captured.ts";
import { CAPTURED_ASPECTS } from "../../server/core/catalog/captured-aspects.ts";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import type { WarehouseFault } from "../../server/core/catalog/warehouse-error.ts";
import { holdStatements } from "../../server/core/engine/postgres/restore/hold-object.ts";
import type { Statement } from "../../server/core/plan/action.ts";
import { aStatement, aStep, aTransaction } from "../builders/write-transaction.ts";
import { createRole } from "./database.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("captured");

const OBJECTS: readonly ObjectName[] = [
  { schema: "bi", name: "d", type: "view" },
  { schema: "bi", name: "m", type: "materialized view" },
  { schema: "bi", name: "m_id", type: "index" },
  { schema: "bi", name: "total()", type: "function" },
  { schema: "bi", name: "quiet on u", type: "rule" },
];

const SETUP = `
  CREATE VIEW bi.d AS SELECT id, name FROM shop.v;
  CREATE TABLE bi.u (id integer);
  CREATE RULE quiet AS ON INSERT TO bi.u DO ALSO SELECT id FROM shop.v;
  CREATE MATERIALIZED VIEW bi.m AS SELECT id FROM shop.v;
  CREATE INDEX m_id ON bi.m (id);
  CREATE FUNCTION bi.total() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM shop.v; END;`;

async function setUp(): Promise<readonly Captured[]> {
  await world.client.query(SETUP);
  const { objects } = await world.warehouse.readCaptures(OBJECTS);
  expect(objects).toHaveLength(OBJECTS.length);
  return objects;
}

/** What `hold_objects` runs before anything is compared. */
function hold(captured: readonly Captured[]): readonly Statement[] {
  const timeouts = { readersLockMs: 1_000, ddlMs: 10_000 };
  return captured.flatMap((each) => holdStatements(each, "dropped", timeouts));
}

interface Apply {
  readonly captured: readonly Captured[];
  readonly first?: readonly (Statement | string)[];
  readonly objects?: readonly ObjectName[];
  readonly aspects?: readonly CapturedAspect[];
  readonly after?: readonly string[];
}

function apply({ captured, first = [], objects = OBJECTS, aspects = CAPTURED_ASPECTS, after = [] }: Apply) {
  const steps = [aStep(...first), aStep({ kind: "captured", objects, aspects }, ...after)];
  return world.warehouse.runTransaction({ ...aTransaction(world.fences, steps), captured });
}

async function fails(of: Apply): Promise<WarehouseFault> {
  const fault = await faultOf(apply(of));
  expect(fault.kind).toBe("guard_failed");
  return fault;
}

const changed = "isn't as it was when the plan was made:";

describe("the captured guard", () => {
  test("passes where nothing changed, also after the writes that hold everything", async () => {
    const captured = await setUp();
    await apply({ captured });
    await apply({ captured, first: hold(captured) });
    await apply({ captured, objects: [] });
  });

  test.each<readonly [string, string, readonly string[]]>([
    ["a grant", "GRANT SELECT ON bi.d TO PUBLIC", [`view bi.d ${changed} grants`]],
    ["a column grant", "GRANT SELECT (id) ON bi.m TO PUBLIC", [`materialized view bi.m ${changed} grants`]],
    [
      "a grant that went",
      "REVOKE EXECUTE ON FUNCTION bi.total() FROM PUBLIC",
      [`function bi.total() ${changed} grants`],
    ],
    ["a comment", "COMMENT ON COLUMN bi.d.id IS 'x'", [`view bi.d ${changed} comments`]],
    ["an option", "ALTER VIEW bi.d SET (security_barrier)", [`view bi.d ${changed} options`]],
    ["a query", "CREATE OR REPLACE VIEW bi.d AS SELECT id, name FROM shop.t", [`view bi.d ${changed} definition`]],
    ["a column", "ALTER VIEW bi.d RENAME name TO x", [`view bi.d ${changed} definition, columns`]],
    ["a rule's state", "ALTER TABLE bi.u DISABLE RULE quiet", [`rule quiet on bi.u ${changed} state`]],
    [
      "a filled view's emptying",
      "REFRESH MATERIALIZED VIEW bi.m WITH NO DATA",
      [`materialized view bi.m ${changed} state`],
    ],
    ["a cluster mark", "ALTER MATERIALIZED VIEW bi.m CLUSTER ON m_id", [`index bi.m_id ${changed} state`]],
    [
      "two things",
      "DROP INDEX bi.m_id; COMMENT ON FUNCTION bi.total() IS 'x'",
      ["index bi.m_id is gone", `function bi.total() ${changed} comments`],
    ],
    ["another kind of the same name", "DROP VIEW bi.d; CREATE TABLE bi.d (id integer)", ["view bi.d is gone"]],
  ])("%s that came in between stops it", async (_what, sql, details) => {
    const captured = await setUp();
    await world.client.query(sql);
    expect((await fails({ captured, after: ["DROP VIEW shop.v"] })).details).toEqual(details);
    expect(await world.value("SELECT to_regclass('shop.v') IS NOT NULL")).toBe(true);
  });

  test("an owner who changed", async () => {
    const captured = await setUp();
    const role = await createRole(world.database, "somebody");
    await world.client.query(`ALTER VIEW bi.d OWNER TO "${role.name}"; ALTER TABLE bi.u OWNER TO "${role.name}"`);
    expect((await fails({ captured })).details).toEqual([
      // Their own rights go with them.
      `view bi.d ${changed} owner, grants`,
      `rule quiet on bi.u ${changed} owner`,
    ]);
  });

  test("only the sides that are named count", async () => {
    const captured = await setUp();
    await world.client.query("COMMENT ON VIEW bi.d IS 'x'; GRANT SELECT ON bi.d TO PUBLIC");
    await apply({ captured, aspects: ["definition", "columns", "owner", "options", "labels", "state"] });
    expect((await fails({ captured, aspects: ["grants"] })).details).toEqual([`view bi.d ${changed} grants`]);
    await apply({ captured, objects: OBJECTS.slice(1) });
  });

  test("compares what the same transaction made anew", async () => {
    const captured = await setUp();
    const again = ["DROP VIEW bi.d", "CREATE VIEW bi.d (id, name) AS SELECT v.id, v.name FROM shop.v"];
    const [view] = OBJECTS;
    if (view === undefined) throw new Error("no view");
    await apply({ captured, first: again.map((sql) => aStatement(sql)), objects: [view] });
    await world.client.query("DROP SCHEMA bi CASC" + "ADE; CREATE SCHEMA bi");
    const other = [...again.slice(0, 1), "CREATE VIEW bi.d AS SELECT v.id, v.name FROM shop.v WHERE v.id > 0"];
    expect((await fails({ captured: await setUp(), first: other, objects: [view] })).details).toEqual([
      `view bi.d ${changed} definition`,
    ]);
  });

  test("while it holds, grants and replacements by others wait", async () => {
    const captured = await setUp();
    const holder = await world.connect();
    await holder.query("SELECT pg_advisory_lock(43)");
    const pause = "SELECT pg_advisory_xact_lock(43)";
    const run = apply({ captured, first: hold(captured), after: [pause] });
    await world.until(
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE '%pg_advisory_xact_lock(43)' AND wait_event_type = 'Lock'",
    );
    const others = [
      "GRANT SELECT ON bi.d TO PUBLIC",
      "GRANT SELECT (id) ON bi.m TO PUBLIC",
      "GRANT EXECUTE ON FUNCTION bi.total() TO PUBLIC",
      "CREATE OR REPLACE FUNCTION bi.total() RETURNS bigint LANGUAGE sql RETURN 1",
    ];
    const waiting: Promise<unknown>[] = [];
    for (const sql of others) {
      const session = await world.connect();
      const pid = (await session.query("SELECT pg_backend_pid() AS pid")).rows[0].pid;
      waiting.push(session.query(sql).catch(() => undefined));
      await world.until(`SELECT cardinality(pg_blocking_pids(${pid})) > 0`);
    }
    await holder.query("SELECT pg_advisory_unlock(43)");
    await run;
    await Promise.all(waiting);
  });

  test("an object that the plan hasn't captured is a fault of the plan", async () => {
    const captured = await setUp();
    await expect(apply({ captured: captured.slice(1) })).rejects.toThrow("wasn't captured");
  });
});
