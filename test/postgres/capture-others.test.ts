import { beforeAll, describe, expect, test } from "vitest";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { setUpCaptures, sorted } from "./capture-world.ts";
import { connectionTo } from "./connection.ts";

const world = setUpCaptures("others");

describe("captured things on relations, and routines, with every attribute set to something unusual", () => {
  beforeAll(async () => {
    const { client, owner } = world;
    await client.query(`CREATE VIEW z.v (id, "select") AS SELECT id, 1 FROM z.base; ALTER VIEW z.v OWNER TO "${owner}";
      ALTER VIEW z.v ALTER "select" SET DEFAULT 7 + 1;
      CREATE MATERIALIZED VIEW z.m AS SELECT id FROM z.base;`);
  });

  test("rules and triggers, in every state, on tables and views", async () => {
    const { client, owner, capture } = world;
    await client.query(`
      CREATE FUNCTION z.fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE VIEW z.written AS SELECT id, name FROM z.base; ALTER VIEW z.written OWNER TO "${owner}";
      CREATE RULE on_view AS ON DELETE TO z.written DO INSTEAD NOTHING;
      CREATE TRIGGER on_view INSTEAD OF INSERT ON z.written FOR EACH ROW EXECUTE FUNCTION z.fires('an argument');
      CREATE RULE plain AS ON INSERT TO z.base DO ALSO SELECT 1 AS x;
      CREATE RULE off AS ON UPDATE TO z.base WHERE old.id > 1 DO ALSO (SELECT 1 AS x; SELECT 2 AS y);
      CREATE RULE replica AS ON DELETE TO z.base DO ALSO SELECT 1 AS x;
      CREATE RULE always AS ON DELETE TO z.base DO ALSO SELECT 2 AS x;
      ALTER TABLE z.base DISABLE RULE off, ENABLE REPLICA RULE replica, ENABLE ALWAYS RULE always;
      COMMENT ON RULE off ON z.base IS 'a rule';
      CREATE TRIGGER plain AFTER INSERT ON z.base FOR EACH ROW EXECUTE FUNCTION z.fires();
      CREATE TRIGGER off BEFORE UPDATE OF name, big ON z.base FOR EACH ROW WHEN (new.id > 1) EXECUTE FUNCTION z.fires();
      CREATE TRIGGER replica AFTER UPDATE ON z.base REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION z.fires();
      CREATE CONSTRAINT TRIGGER always AFTER INSERT ON z.base DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION z.fires();
      ALTER TABLE z.base DISABLE TRIGGER off, ENABLE REPLICA TRIGGER replica, ENABLE ALWAYS TRIGGER always;
      COMMENT ON TRIGGER off ON z.base IS 'a trigger'; ALTER TRIGGER off ON z.base DEPENDS ON EXTENSION plpgsql;`);
    expect(await capture("rule", "off on base")).toEqual({
      kind: "rule",
      object: { schema: "z", name: "off on base", type: "rule" },
      rule: "off",
      on: { schema: "z", name: "base" },
      onKind: "table",
      owner,
      comment: "a rule",
      labels: [],
      extensions: [],
      definition: expect.stringMatching(
        /^CREATE RULE off AS\s+ON UPDATE TO z\.base\s+WHERE[\s\S]*SELECT 2 AS y;\s*\)$/,
      ),
      state: "disabled",
    });
    expect(await capture("trigger", "off on base")).toEqual({
      kind: "trigger",
      object: { schema: "z", name: "off on base", type: "trigger" },
      trigger: "off",
      on: { schema: "z", name: "base" },
      onKind: "table",
      owner,
      comment: "a trigger",
      labels: [],
      extensions: ["plpgsql"],
      definition:
        "CREATE TRIGGER off BEFORE UPDATE OF name, big ON z.base FOR EACH ROW WHEN ((new.id > 1)) EXECUTE FUNCTION z.fires()",
      state: "disabled",
    });
    for (const type of ["rule", "trigger"]) {
      expect(await capture(type, "plain on base")).toMatchObject({ state: "origin", comment: null, extensions: [] });
      expect(await capture(type, "replica on base")).toMatchObject({ state: "replica" });
      expect(await capture(type, "always on base")).toMatchObject({ state: "always" });
      expect(await capture(type, "on_view on written")).toMatchObject({ onKind: "view", state: "origin", owner });
    }
    expect(await capture("rule", "on_view on written")).toMatchObject({
      definition: expect.stringMatching(/DO INSTEAD NOTHING$/),
    });
    expect(await capture("trigger", "always on base")).toMatchObject({
      definition: expect.stringContaining("DEFERRABLE INITIALLY DEFERRED"),
    });
  });

  test("a trigger of a partitioned table is captured while its parts' are as it is", async () => {
    const { client, warehouse, capture } = world;
    await client.query(`CREATE TABLE z.parted (id integer) PARTITION BY LIST (id);
      CREATE TABLE z.part PARTITION OF z.parted DEFAULT;
      CREATE TRIGGER whole AFTER INSERT ON z.parted FOR EACH ROW EXECUTE FUNCTION z.fires();`);
    expect(await capture("trigger", "whole on parted")).toMatchObject({ onKind: "table", state: "origin" });
    const part: ObjectName = { schema: "z", name: "whole on part", type: "trigger" };
    expect((await warehouse.readCaptures([part])).objects).toEqual([]);
    await client.query("ALTER TABLE z.part DISABLE TRIGGER whole");
    const whole: ObjectName = { schema: "z", name: "whole on parted", type: "trigger" };
    expect((await warehouse.readCaptures([whole])).objects).toEqual([]);
  });

  test("policies", async () => {
    const { client, owner, first, second, capture } = world;
    await client.query(`
      CREATE TABLE z.guarded (id integer, name text); ALTER TABLE z.guarded OWNER TO "${owner}";
      CREATE POLICY odd ON z.guarded AS RESTRICTIVE FOR UPDATE TO "${second}", "${first}"
        USING (id IN (SELECT id FROM z.base)) WITH CHECK (name <> 'x');
      COMMENT ON POLICY odd ON z.guarded IS 'a policy';
      CREATE POLICY plain ON z.guarded;
      CREATE POLICY "select" ON z.guarded FOR SELECT USING (true);
      CREATE POLICY "insert" ON z.guarded FOR INSERT WITH CHECK (true);
      CREATE POLICY "delete" ON z.guarded FOR DELETE USING (false);`);
    expect(await capture("policy", "odd on guarded")).toEqual({
      kind: "policy",
      object: { schema: "z", name: "odd on guarded", type: "policy" },
      policy: "odd",
      on: { schema: "z", name: "guarded" },
      owner,
      comment: "a policy",
      labels: [],
      extensions: [],
      command: "UPDATE",
      permissive: false,
      roles: [first, second].sort(),
      using: expect.stringMatching(/^\(id IN \( SELECT base\.id\s+FROM z\.base\)\)$/),
      check: "(name <> 'x'::text)",
    });
    expect(await capture("policy", "plain on guarded")).toMatchObject({
      ...{ command: "ALL", permissive: true, roles: ["PUBLIC"], using: null, check: null, comment: null },
    });
    expect(await capture("policy", "select on guarded")).toMatchObject({ command: "SELECT", using: "true" });
    expect(await capture("policy", "insert on guarded")).toMatchObject({ command: "INSERT", check: "true" });
    expect(await capture("policy", "delete on guarded")).toMatchObject({ command: "DELETE", using: "false" });
  });

  test("defaults and checks", async () => {
    const { client, owner, capture } = world;
    await client.query(`
      CREATE FUNCTION z.lowest() RETURNS integer LANGUAGE sql BEGIN ATOMIC SELECT min(base.id) FROM z.base; END;
      CREATE TABLE z.kept (id integer DEFAULT z.lowest(), "a b" text DEFAULT 'x'::z.dom); ALTER TABLE z.kept OWNER TO "${owner}";
      ALTER TABLE z.kept ADD CONSTRAINT "low est" CHECK (id > z.lowest()) NO INHERIT NOT VALID,
        ADD CONSTRAINT valid CHECK (id <> 3);
      COMMENT ON CONSTRAINT "low est" ON z.kept IS 'a check';`);
    expect(await capture("default value", "id on kept")).toEqual({
      kind: "default",
      object: { schema: "z", name: "id on kept", type: "default value" },
      on: { schema: "z", name: "kept" },
      onKind: "table",
      owner,
      comment: null,
      labels: [],
      extensions: [],
      column: "id",
      expression: "z.lowest()",
    });
    expect(await capture("default value", '"a b" on kept')).toMatchObject({
      column: "a b",
      expression: "('x'::text)::z.dom",
    });
    expect(await capture("default value", '"select" on v')).toMatchObject({ onKind: "view", expression: "(7 + 1)" });
    expect(await capture("table constraint", '"low est" on kept')).toEqual({
      kind: "check",
      object: { schema: "z", name: '"low est" on kept', type: "table constraint" },
      constraint: "low est",
      on: { schema: "z", name: "kept" },
      owner,
      comment: "a check",
      labels: [],
      extensions: [],
      definition: "CHECK ((id > z.lowest())) NO INHERIT NOT VALID",
      validated: false,
    });
    expect(await capture("table constraint", "valid on kept")).toMatchObject({ validated: true, comment: null });
  });

  test("functions and procedures", async () => {
    const { client, owner, first, second, capture, grant, as, label, labels } = world;
    await client.query(`
      CREATE FUNCTION z."odd fn"(INOUT a integer, VARIADIC b text[] DEFAULT '{}', OUT c z.v)
        RETURNS SETOF record LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER LEAKPROOF PARALLEL SAFE COST 77 ROWS 5
        SET search_path = z, pg_temp SET work_mem = '5MB' AS 'BEGIN RETURN; END';
      COMMENT ON FUNCTION z."odd fn" IS 'a function'; ALTER FUNCTION z."odd fn" DEPENDS ON EXTENSION plpgsql;
      CREATE PROCEDURE z.proc(integer) LANGUAGE sql BEGIN ATOMIC DELETE FROM z.base WHERE base.id = $1; END;
      CREATE FUNCTION z.proc(text) RETURNS integer LANGUAGE sql RETURN 1;
      CREATE FUNCTION z.many() RETURNS SETOF z.m LANGUAGE sql AS 'SELECT * FROM z.m';
      CREATE FUNCTION z.array_of(z.v[]) RETURNS integer LANGUAGE sql RETURN 1;
      CREATE FUNCTION z.table_row() RETURNS SETOF z.base LANGUAGE sql AS 'SELECT * FROM z.base';
      ALTER FUNCTION z."odd fn" OWNER TO "${owner}"; ALTER PROCEDURE z.proc(integer) OWNER TO "${owner}";`);
    await as(
      owner,
      `REVOKE ALL ON FUNCTION z."odd fn" FROM PUBLIC; GRANT EXECUTE ON FUNCTION z."odd fn" TO "${first}" WITH GRANT OPTION`,
    );
    await as(first, `GRANT EXECUTE ON FUNCTION z."odd fn" TO "${second}"`);
    await label("pg_proc", "'z.\"odd fn\"'::regproc", 0, "routine");
    expect(await capture("function", '"odd fn"(integer,pg_catalog.text[])')).toEqual({
      kind: "function",
      object: { schema: "z", name: '"odd fn"(integer,pg_catalog.text[])', type: "function" },
      routine: "function",
      signature: 'z."odd fn"(integer,pg_catalog.text[])',
      schema: "z",
      owner,
      comment: "a function",
      labels: labels("routine"),
      extensions: ["plpgsql"],
      definition: expect.stringMatching(
        /^CREATE OR REPLACE FUNCTION z\."odd fn"\(INOUT a integer, VARIADIC b text\[\] DEFAULT [\s\S]* SET search_path TO 'z', 'pg_temp'[\s\S]*\$function\$BEGIN RETURN; END\$function\$$/,
      ),
      grants: sorted([
        grant(owner, "EXECUTE"),
        grant(first, "EXECUTE", { grantable: true }),
        grant(second, "EXECUTE", { grantor: first }),
      ]),
      usesRowType: true,
      cost: 77,
    });
    expect(await capture("procedure", "proc(integer)")).toMatchObject({
      routine: "procedure",
      signature: "z.proc(integer)",
      definition: expect.stringMatching(
        /^CREATE OR REPLACE PROCEDURE z\.proc\((?:IN )?integer\)[\s\S]*BEGIN ATOMIC[\s\S]*\nEND$/,
      ),
      grants: [grant("PUBLIC", "EXECUTE"), grant(owner, "EXECUTE")],
      usesRowType: false,
      labels: [],
    });
    expect(await capture("function", "proc(pg_catalog.text)")).toMatchObject({
      routine: "function",
      usesRowType: false,
    });
    expect(await capture("function", "many()")).toMatchObject({ usesRowType: true });
    expect(await capture("function", "array_of(z.v[])")).toMatchObject({ usesRowType: true });
    // A table stays, and so does the type of its rows.
    expect(await capture("function", "table_row()")).toMatchObject({ usesRowType: false });
  });

  test("a role that may do nothing reads the same, but for what only a superuser can make", async () => {
    const { database, client, warehouse, second } = world;
    const objects: readonly ObjectName[] = [
      { schema: "z", name: "v", type: "view" },
      { schema: "z", name: "m", type: "materialized view" },
      { schema: "z", name: "odd on guarded", type: "policy" },
      { schema: "z", name: "proc(integer)", type: "procedure" },
    ];
    const leakproof: ObjectName = { schema: "z", name: '"odd fn"(integer,pg_catalog.text[])', type: "function" };
    const mine = await warehouse.readCaptures(objects);
    expect(mine.objects).toHaveLength(objects.length);
    await client.query(`GRANT "${second}" TO CURRENT_USER`);
    const other = await openWarehouse(connectionTo(database, { role: second }));
    try {
      const theirs = await other.readCaptures(objects);
      expect(theirs.objects).toEqual(mine.objects);
      expect(theirs.rights).not.toEqual(mine.rights);
      // Only a superuser could make that one again, so nobody else is told that it can be.
      expect((await warehouse.readCaptures([leakproof])).objects).toHaveLength(1);
      expect((await other.readCaptures([leakproof])).objects).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
