import { describe, expect } from "vitest";
import { blockers, model, test, type World } from "./world.ts";

describe("what people added to a view by hand", () => {
  test("B47: after an edited WHERE the view is the same object, with grants, column grants and comment as they were", async ({
    world,
  }) => {
    const late = (sign: string) =>
      model("shop.late", "kind VIEW", `SELECT id, due FROM shop.orders WHERE due ${sign} CURRENT_DATE`);
    world.write({ ...model("shop.orders", "kind FULL", "SELECT 1 AS id, CURRENT_DATE AS due"), ...late("<") });
    await world.apply();
    const reader = await world.role("reader");
    const bi = await world.role("bi");
    await world.sql(`GRANT SELECT ON shop.late TO ${reader}; GRANT SELECT (id) ON shop.late TO ${bi};
      COMMENT ON VIEW shop.late IS 'owned by ops'; ALTER VIEW shop.late SET (security_barrier = true)`);
    const before = await carried(world, "shop.late");
    world.write(late("<="));
    await world.apply({ unlikeScratch: ["shop.late served comment"] });
    expect(await carried(world, "shop.late")).toEqual(before);
    await world.sql(`GRANT USAGE ON SCHEMA shop TO ${reader}; SET ROLE ${reader}`);
    expect(await world.sql("SELECT count(*)::int AS n FROM shop.late")).toEqual([{ n: 1 }]);
    await world.sql("RESET ROLE");
  });

  test("B47: where a drop can't be avoided, grants, column grants, comment and options come back", async ({
    world,
  }) => {
    const late = (columns: string) => model("shop.late", "kind VIEW", `SELECT ${columns} FROM shop.orders`);
    world.write({ ...model("shop.orders", "kind FULL", "SELECT 1 AS id, CURRENT_DATE AS due"), ...late("id, due") });
    await world.apply();
    const reader = await world.role("reader");
    const bi = await world.role("bi");
    await world.sql(`GRANT SELECT ON shop.late TO ${reader}; GRANT SELECT (id) ON shop.late TO ${bi};
      COMMENT ON VIEW shop.late IS 'owned by ops'; ALTER VIEW shop.late SET (security_barrier = true)`);
    const before = await carried(world, "shop.late");
    world.write(late("id"));
    await world.apply({
      unlikeScratch: ["shop.late served comment"],
      hazards: ["columns_removed shop.late", "view_recreated shop.late"],
    });
    const [was, is] = [before, await carried(world, "shop.late")].map(([row]) => ({
      ...row,
      oid: null,
      columns: null,
    }));
    expect(is).toEqual(was);
    expect(
      await world.sql(
        `SELECT has_table_privilege('${reader}', 'shop.late', 'SELECT') AS reader, has_column_privilege('${bi}', 'shop.late', 'id', 'SELECT') AS bi`,
      ),
    ).toEqual([{ reader: true, bi: true }]);
  });

  test("B50: an edited WHERE keeps trigger and rule; after a removed column both are back, in their state", async ({
    world,
  }) => {
    const orders = (query: string) => model("shop.orders_v", "kind VIEW", query);
    world.write(orders("SELECT 1 AS id, 2 AS total WHERE 1 > 0"));
    await world.apply();
    await world.sql(`
      CREATE FUNCTION public.skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER t INSTEAD OF INSERT ON shop.orders_v FOR EACH ROW EXECUTE FUNCTION public.skip();
      CREATE RULE r AS ON DELETE TO shop.orders_v DO INSTEAD NOTHING`);
    const before = await carried(world, "shop.orders_v");
    world.write(orders("SELECT 1 AS id, 2 AS total WHERE 2 > 0"));
    await world.apply();
    expect(await carried(world, "shop.orders_v")).toEqual(before);

    const state = () => world.sql("SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = 'shop.orders_v'::regclass");
    const rules = () =>
      world.sql(
        "SELECT rulename, ev_enabled, pg_get_ruledef(oid) FROM pg_rewrite WHERE ev_class = 'shop.orders_v'::regclass AND rulename <> '_RETURN'",
      );
    const [triggersBefore, rulesBefore] = [await state(), await rules()];
    world.write(orders("SELECT 1 AS id WHERE 2 > 0"));
    const { view } = await world.apply({
      hazards: [
        "outside_object_recreated shop.r on orders_v shop.t on orders_v",
        "columns_removed shop.orders_v",
        "view_recreated shop.orders_v",
      ],
    });
    expect(view.dependents.map((each) => `${each.object.type} ${each.object.name} ${each.fate}`)).toEqual([
      "rule r on orders_v recreated",
      "trigger t on orders_v recreated",
    ]);
    expect([await state(), await rules()]).toEqual([triggersBefore, rulesBefore]);
    expect(await world.sql("SELECT * FROM shop.orders_v")).toEqual([{ id: 1 }]);
  });

  test("B50: a rule that uses the removed column blocks, and is named", async ({ world }) => {
    world.write(model("shop.orders_v", "kind VIEW", "SELECT 1 AS id, 2 AS total"));
    await world.apply();
    await world.sql(`CREATE TABLE public.log (total integer);
      CREATE RULE r AS ON INSERT TO shop.orders_v DO INSTEAD INSERT INTO public.log VALUES (new.total)`);
    const before = await carried(world, "shop.orders_v");
    world.write(model("shop.orders_v", "kind VIEW", "SELECT 1 AS id"));
    expect(blockers(await world.plan())).toEqual([
      `outside_object_lost: shop.orders_v loses total, still used: rule r on shop.orders_v (owner ${world.client.user}) uses column total. Keep the column, let its owner stop using it first, or take on the loss: --accept 'outside_object_lost:r on shop.orders_v'.`,
    ]);
    expect(await carried(world, "shop.orders_v")).toEqual(before);
  });

  test("B51: functions over a view's row type and in parsed bodies are found; one that only names it in a string isn't claimed to be", async ({
    world,
  }) => {
    world.write(model("shop.v", "kind VIEW", "SELECT 1 AS a"));
    await world.apply();
    await world.sql(`
      CREATE FUNCTION public.fr() RETURNS SETOF shop.v LANGUAGE sql AS 'SELECT * FROM shop.v';
      CREATE FUNCTION public.fa() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM shop.v; END;
      CREATE FUNCTION public.fs() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM shop.v'`);
    world.write(model("shop.v", "kind VIEW", "SELECT 1 AS b"));
    const planned = await world.plan();
    const { user } = world.client;
    expect(blockers(planned)).toEqual([
      `outside_object_lost: shop.v loses a, still used: function public.fr() (owner ${user}) uses columns that the catalog doesn't name. Keep the column, let its owner stop using it first, or take on the loss: --accept 'outside_object_lost:public.fr()'.`,
    ]);
    const found = planned.view.dependents.filter((each) => !each.managed);
    expect(found.map(({ object, fate }) => `${object.type} ${object.name} ${fate}`)).toEqual([
      "function fa() recreated",
      "function fr() blocked",
    ]);
    expect(
      await world.sql(
        "SELECT (SELECT count(*)::int FROM public.fr()) AS fr, public.fa()::int AS fa, public.fs()::int AS fs",
      ),
    ).toEqual([{ fr: 1, fa: 1, fs: 1 }]);
  });

  test("B59: what belongs to an extension is never dropped, granted on, or taken for somebody's object", async ({
    world,
  }) => {
    world.write({
      ...model("shop.a", "kind VIEW", "SELECT 1 AS id"),
      ...model("shop.b", "kind VIEW", "SELECT 1 AS id"),
    });
    await world.apply();
    await world.sql("CREATE EXTENSION pg_stat_statements SCHEMA shop");
    world.write({ "models/a.sql": null });
    const { view } = await world.apply({ hazards: ["view_dropped shop.a"] });
    expect(view.actions.map((action) => action.title)).toEqual(["drop view shop.a"]);
    expect(view.dependents).toEqual([]);
    expect(await world.sql("SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'")).toEqual([
      { extname: "pg_stat_statements" },
    ]);
  });

  test("B68: after a drop the view belongs to its owner again, with all grants and none of default privileges", async ({
    open,
  }) => {
    const first = await open();
    const deploy = await first.role("deploy");
    const team = await first.role("team_a");
    const bi = await first.role("bi");
    const reader = await first.role("reader");
    await first.sql(`GRANT ${team} TO ${deploy}; GRANT CREATE ON DATABASE ${first.database} TO ${deploy}`);
    const world = await open({ warehouse: first, login: { user: deploy, password: "secret" } });
    world.write(model("shop.v", "kind VIEW", "SELECT 1 AS id, 2 AS gone"));
    await world.apply();
    await world.sql(`
      ALTER DEFAULT PRIVILEGES FOR ROLE ${deploy} IN SCHEMA shop GRANT SELECT ON TABLES TO ${bi};
      GRANT USAGE, CREATE ON SCHEMA shop TO ${team};
      GRANT SELECT ON shop.v TO ${reader}; GRANT SELECT ON shop.v TO ${bi};
      ALTER VIEW shop.v OWNER TO ${team}`);
    const other = await first.role("other");
    await world.sql(`ALTER DEFAULT PRIVILEGES FOR ROLE ${deploy} IN SCHEMA shop GRANT SELECT ON TABLES TO ${other}`);
    const before = await carried(world, "shop.v");
    world.write(model("shop.v", "kind VIEW", "SELECT 1 AS id"));
    await world.carryOut(await world.plan());
    const [was, is] = [before, await carried(world, "shop.v")].map(([row]) => ({ ...row, oid: null, columns: null }));
    expect(is).toEqual(was);
    expect(await world.sql("SELECT * FROM shop.v")).toEqual([{ id: 1 }]);

    // Who has been taken out of the owner's role may neither drop it nor give it back.
    await first.sql(`REVOKE ${team} FROM ${deploy}`);
    world.write(model("shop.v", "kind VIEW", "SELECT '1' AS id"));
    expect(blockers(await world.plan())).toEqual([
      `rights_missing: The role ${deploy} lacks ownership on view shop.v, owned by ${team}.`,
      `rights_missing: The role ${deploy} lacks the right to become on role ${team}, to bring back view shop.v as theirs.`,
    ]);
  });
});

/** Everything of a view that its definition doesn't say. */
function carried(world: World, name: string): Promise<object[]> {
  return world.sql(
    `SELECT c.oid, c.relowner::regrole::text AS owner, (SELECT array_agg(g::text ORDER BY g::text) FROM unnest(coalesce(c.relacl, acldefault('r', c.relowner))) AS g) AS acl, c.reloptions::text[] AS options, obj_description(c.oid) AS comment,
            (SELECT array_agg(a.attname || ' ' || coalesce(a.attacl::text, '-') ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns,
            (SELECT array_agg(t.tgname || ' ' || t.oid) FROM pg_trigger t WHERE t.tgrelid = c.oid) AS triggers,
            (SELECT array_agg(r.rulename || ' ' || r.oid ORDER BY 1) FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN') AS rules
       FROM pg_class c WHERE c.oid = $1::regclass`,
    [name],
  );
}
