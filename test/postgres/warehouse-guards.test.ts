import { describe, expect, test } from "vitest";
import type { Guard } from "../../server/core/plan/action.ts";
import { aStep, aTransaction } from "../builders/write-transaction.ts";
import { createRole } from "./database.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("guards");

describe("checks guards under a lock", () => {
  const v = { schema: "shop", name: "v" };
  const recreate = ["DROP VIEW shop.v", "CREATE VIEW shop.v AS SELECT id FROM shop.t"];

  async function bare(): Promise<Guard> {
    return { kind: "bare", relation: v, owner: world.database.user, fingerprint: await world.fingerprint("v") };
  }

  async function unchanged(name = "v"): Promise<Guard> {
    return { kind: "unchanged", relation: { schema: "shop", name }, fingerprint: await world.fingerprint(name) };
  }

  test("and goes on where everything is as it was", async () => {
    const guards = [
      await unchanged("t"),
      await bare(),
      { kind: "absent", relation: { schema: "shop", name: "w" } } as const,
    ];
    await world.warehouse.runTransaction(aTransaction(world.fences, [aStep(...guards, ...recreate)]));
    expect(await world.value("SELECT count(*)::int FROM pg_attribute WHERE attrelid = 'shop.v'::regclass")).toBe(1);
  });

  test("a dependent that came in between stops a view from being made anew, and is named with its owner", async () => {
    const guard = await bare();
    await world.client.query("CREATE VIEW bi.late AS SELECT name FROM shop.v");
    const before = await world.value("SELECT 'shop.v'::regclass::oid");
    const fault = await faultOf(
      world.warehouse.runTransaction(aTransaction(world.fences, [aStep(guard, ...recreate)])),
    );
    expect(fault.kind).toBe("guard_failed");
    expect(fault.details).toEqual([`view bi.late (${world.database.user}) depends on shop.v`]);
    expect(await world.value("SELECT 'shop.v'::regclass::oid")).toBe(before);
    expect(await world.value("SELECT count(*)::int FROM bi.late")).toBe(0);
  });

  test.each([
    ["a grant", "GRANT SELECT ON shop.v TO PUBLIC"],
    ["a comment", "COMMENT ON VIEW shop.v IS 'x'"],
    ["a rule", "CREATE RULE r AS ON DELETE TO shop.v DO INSTEAD NOTHING"],
    ["another query", "CREATE OR REPLACE VIEW shop.v AS SELECT id, name FROM shop.t WHERE id > 0"],
  ])("%s that came in between stops it", async (_what, sql) => {
    const guards = [await bare(), await unchanged()];
    await world.client.query(sql);
    for (const guard of guards) {
      const fault = await faultOf(
        world.warehouse.runTransaction(aTransaction(world.fences, [aStep(guard, ...recreate)])),
      );
      expect(fault.kind).toBe("guard_failed");
      expect(fault.details).toContain("shop.v was changed since the plan was made");
    }
  });

  test("a view that went, came, or changed hands stops it", async () => {
    const [first, second] = [await bare(), await unchanged()];
    const appeared: Guard = { kind: "absent", relation: { schema: "shop", name: "t" } };
    expect(await faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep(appeared)])))).toMatchObject({
      kind: "guard_failed",
      details: ["shop.t exists, and the plan was made without it"],
    });
    const role = await createRole(world.database, "newowner");
    await world.client.query(`ALTER VIEW shop.v OWNER TO "${role.name}"`);
    const fault = await faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep(first)])));
    expect(fault.details).toContain(`shop.v belongs to ${role.name}, not to ${world.database.user}`);
    expect(
      await world.value("SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE oid = 'shop.v'::regclass"),
    ).toBe(role.name);
    await world.client.query("DROP VIEW shop.v");
    expect(
      (await faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep(second)])))).details,
    ).toEqual(["shop.v is gone"]);
  });

  test("while it holds, tables below are free, and a grant waits instead of being lost", async () => {
    const holder = await world.connect();
    await holder.query("SELECT pg_advisory_lock(42)");
    const granter = await world.connect();
    const pause = "SELECT pg_advisory_xact_lock(42)";
    const run = world.warehouse.runTransaction(aTransaction(world.fences, [aStep(await bare(), pause, ...recreate)]));
    await world.until(
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE '%pg_advisory_xact_lock(42)' AND wait_event_type = 'Lock'",
    );
    await world.client.query("INSERT INTO shop.t (id) VALUES (1)");
    const granterPid = (await granter.query("SELECT pg_backend_pid() AS pid")).rows[0].pid;
    // Whether it is refused or goes to the new view, it must not vanish with the old one unseen.
    const grant = granter.query("GRANT SELECT (id) ON shop.v TO PUBLIC").then(
      () => "granted",
      () => "refused",
    );
    await world.until(`SELECT cardinality(pg_blocking_pids(${granterPid})) > 0`);
    await holder.query("SELECT pg_advisory_unlock(42)");
    await run;
    const outcome = await grant;
    const acl = await world.value(
      "SELECT attacl::text FROM pg_attribute WHERE attrelid = 'shop.v'::regclass AND attname = 'id'",
    );
    expect({ outcome, kept: acl !== null }).toEqual({ outcome, kept: outcome === "granted" });
  });
});
