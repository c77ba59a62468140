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

  test("B50: an edited WHERE keeps trigger and rule; a removed column is blocked, naming both", async ({ world }) => {
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

    world.write(orders("SELECT 1 AS id WHERE 2 > 0"));
    expect(blockers(await world.plan())).toEqual([
      "view_carries_access: shop.orders_v can't be replaced in place (column total is removed), and a drop would lose what it carries: rule r; trigger t.",
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
      `outside_object_lost: shop.v can't be replaced in place (column a is renamed to b), and this would fall with it: function public.fa() (owner ${user}) uses columns that the catalog doesn't name and function public.fr() (owner ${user}) uses columns that the catalog doesn't name.`,
    ]);
    const found = planned.view.dependents.filter((each) => !each.managed);
    expect(found.map(({ object, fate }) => `${object.type} ${object.name} ${fate}`)).toEqual([
      "function fa() blocked",
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

  test("B68: a drop that would change owner and lose grants is blocked, naming them", async ({ open }) => {
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
    const before = await carried(world, "shop.v");
    world.write(model("shop.v", "kind VIEW", "SELECT 1 AS id"));
    expect(blockers(await world.plan())).toEqual([
      `view_carries_access: shop.v can't be replaced in place (column gone is removed), and a drop would lose what it carries: owner ${team}; SELECT to ${bi}; SELECT to ${reader}.`,
    ]);
    expect(await carried(world, "shop.v")).toEqual(before);

    // What can be done in place is, and the view stays with its owner.
    world.write(model("shop.v", "kind VIEW", "SELECT 2 AS id, 3 AS gone"));
    await world.apply();
    expect(await carried(world, "shop.v")).toEqual(before);
  });
});

/** Everything of a view that its definition doesn't say. */
function carried(world: World, name: string): Promise<object[]> {
  return world.sql(
    `SELECT c.oid, c.relowner::regrole::text AS owner, c.relacl::text AS acl, c.reloptions::text[] AS options, obj_description(c.oid) AS comment,
            (SELECT array_agg(a.attname || ' ' || coalesce(a.attacl::text, '-') ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns,
            (SELECT array_agg(t.tgname || ' ' || t.oid) FROM pg_trigger t WHERE t.tgrelid = c.oid) AS triggers,
            (SELECT array_agg(r.rulename || ' ' || r.oid ORDER BY 1) FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN') AS rules
       FROM pg_class c WHERE c.oid = $1::regclass`,
    [name],
  );
}
