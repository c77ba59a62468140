import { describe, expect } from "vitest";
import { blockers, type Files, model, test } from "./world.ts";

describe("what becomes of each kind", () => {
  test("an EMBEDDED model lives in those that read it, and its change is theirs", async ({ world }) => {
    const files = (value: number): Files => ({
      ...model("shop.e", "kind EMBEDDED", `SELECT ${value} AS id`),
      ...model("shop.v", "kind VIEW", "SELECT e.id FROM shop.e AS e JOIN shop.e AS again USING (id)"),
      ...model("shop.t", "kind FULL", "SELECT id FROM shop.v"),
    });
    world.write(files(1));
    await world.apply();
    expect(await world.sql("SELECT to_regclass('shop.e') AS e")).toEqual([{ e: null }]);
    world.write(files(2));
    await world.apply();
    expect(await world.sql("SELECT v.id FROM shop.v JOIN shop.t USING (id)")).toEqual([{ id: 2 }]);
  });

  test("what is read from outside is read where it is, also without a schema, and its declared columns count where * reads them", async ({
    world,
  }) => {
    const declared = (columns: string): Files => ({ "external_models.yaml": `- name: raw.t\n  columns:\n${columns}` });
    await world.source(
      "CREATE SCHEMA raw; CREATE TABLE raw.t AS SELECT 1 AS id, 'x' AS name; CREATE TABLE public.plain AS SELECT 5 AS n",
    );
    world.write({
      ...declared("    id: int\n"),
      ...model("shop.star", "kind FULL", "SELECT * FROM raw.t"),
      ...model("shop.named", "kind FULL", "SELECT id, n FROM raw.t CROSS JOIN plain"),
    });
    await world.apply();
    expect(await world.sql("SELECT * FROM shop.star, shop.named")).toEqual([{ id: 1, n: 5 }]);
    world.write(declared("    id: int\n    name: text\n"));
    const { view } = await world.apply();
    expect(view.changes.map((each) => each.model)).toEqual(["raw.t", "shop.star"]);
    expect(await world.sql("SELECT * FROM shop.star")).toEqual([{ id: 1, name: "x" }]);
  });

  test("a function of the warehouse's is found by its bare name, in every kind and in statements", async ({
    world,
  }) => {
    await world.source("CREATE FUNCTION public.twice(n int) RETURNS int LANGUAGE sql IMMUTABLE RETURN n * 2");
    world.write({
      "config.yaml": world.read("config.yaml").replace("  pg:\n", "  pg:\n    shadow: warehouse\n"),
      ...model("shop.v", "kind VIEW", "SELECT twice(1) AS n"),
      ...model("shop.m", "kind VIEW (materialized true)", "SELECT twice(n) AS n FROM shop.v"),
      "models/t.sql": `MODEL (name shop.t, kind FULL);

SELECT twice(n) AS n FROM shop.m;

CREATE INDEX twice_n ON @this_model (twice(n));

CREATE INDEX CONCURRENTLY twice_more ON @this_model (twice(n + 1))`,
    });
    await world.apply();
    expect(await world.sql("SELECT v.n AS v, m.n AS m, t.n AS t FROM shop.v, shop.m, shop.t")).toEqual([
      { v: 2, m: 4, t: 8 },
    ]);
  });

  test("a seed whose rows changed is loaded beside; the earlier one is used again when the file is restored", async ({
    world,
  }) => {
    const seed = (csv: string): Files => ({
      "seeds/s.csv": csv,
      "models/s.sql": "MODEL (name shop.s, kind SEED (path '../seeds/s.csv'), columns (id INT));",
      ...model("shop.v", "kind VIEW", "SELECT id FROM shop.s"),
    });
    world.write(seed("id\n1\n"));
    await world.apply();
    const first = await world.physical("shop.s");
    world.write(seed("id\n2\n"));
    await world.apply();
    expect(await world.sql("SELECT id FROM shop.v")).toEqual([{ id: 2 }]);
    world.write(seed("id\n1\n"));
    const { view } = await world.apply();
    expect(view.actions.filter((each) => each.layer === "physical").map((each) => each.title)).toEqual([]);
    expect(await world.physical("shop.s")).toBe(first);
    expect(await world.sql("SELECT id FROM shop.v")).toEqual([{ id: 1 }]);
  });

  test("indexes, settings and descriptions are changed on the object that is there", async ({ world }) => {
    const t = (properties: string, query = "SELECT g AS id, g AS n FROM generate_series(1, 3) AS g"): Files =>
      model("shop.t", `kind FULL${properties}`, query);
    world.write(t(""));
    await world.apply();
    const [before] = await world.sql<{ oid: number }>("SELECT $1::regclass::oid AS oid", [
      await world.physical("shop.t"),
    ]);
    world.write(
      t(
        ", description 'rows', column_descriptions (id = 'the key'), physical_properties (indexes = ('UNIQUE (id)', '(n)'), fillfactor = 70)",
        "SELECT g AS id, g AS n FROM generate_series(1, 3) AS g",
      ),
    );
    await world.apply();
    world.write(t(", physical_properties (indexes = ('UNIQUE (id)'), fillfactor = 80)"));
    await world.apply();
    expect(await world.sql("SELECT $1::regclass::oid AS oid", [await world.physical("shop.t")])).toEqual([before]);
  });

  test("row 9: what somebody dropped is put back under its name, with its rows", async ({ world }) => {
    world.write({
      ...model("shop.a", "kind FULL", "SELECT 1 AS id"),
      ...model("shop.v", "kind VIEW", "SELECT id FROM shop.a"),
      ...model(
        "shop.m",
        "kind VIEW (materialized true), physical_properties (indexes = ('UNIQUE (id)'))",
        "SELECT id FROM shop.v",
      ),
      ...model("shop.p", "kind INCREMENTAL_BY_PARTITION, partitioned_by id", "SELECT id FROM shop.v"),
    });
    await world.apply();
    for (const name of ["shop.m", "shop.v", "shop.p", "shop.a"]) {
      const physical = await world.physical(name);
      const [row] = await world.sql<{ kind: string }>("SELECT relkind AS kind FROM pg_class WHERE oid = $1::regclass", [
        physical,
      ]);
      const what = { v: "VIEW", m: "MATERIALIZED VIEW", r: "TABLE" }[row?.kind ?? "r"];
      await world.sql(`DROP ${what} ${physical} CASCADE`);
      await world.apply();
      expect(await world.physical(name)).toBe(physical);
      expect(
        await world.sql("SELECT a.id FROM shop.a JOIN shop.v USING (id) JOIN shop.m USING (id) JOIN shop.p USING (id)"),
        name,
      ).toEqual([{ id: 1 }]);
    }
  });

  test("a removed model's name goes; while somebody's view reads it, the plan is blocked and names it", async ({
    world,
  }) => {
    world.write({
      ...model("shop.a", "kind FULL", "SELECT 1 AS id"),
      ...model("shop.b", "kind VIEW", "SELECT 1 AS id"),
    });
    await world.apply();
    const owner = await world.role("bi_owner");
    await world.sql(`GRANT USAGE ON SCHEMA shop TO ${owner}; GRANT SELECT ON shop.a TO ${owner}; CREATE SCHEMA bi AUTHORIZATION ${owner};
      SET ROLE ${owner}; CREATE VIEW bi.on_a AS SELECT id FROM shop.a; RESET ROLE`);
    world.write({ "models/a.sql": null });
    expect(blockers(await world.plan())).toEqual([
      `outside_object_lost: shop.a is removed but still read: view bi.on_a (owner ${owner}) uses column id. Keep the model, let its owner drop that first, or take on the loss: --accept outside_object_lost:bi.on_a.`,
    ]);
    await world.sql("DROP VIEW bi.on_a");
    await world.apply({ hazards: ["view_dropped shop.a"] });
  });

  test("somebody who reads the physical object itself stays on the version before, and the plan says so", async ({
    world,
  }) => {
    const a = (value: number): Files => model("shop.a", "kind FULL", `SELECT ${value} AS id`);
    world.write(a(1));
    await world.apply();
    await world.sql(`CREATE SCHEMA bi; CREATE VIEW bi.deep AS SELECT id FROM ${await world.physical("shop.a")}`);
    world.write(a(2));
    await world.apply({ hazards: ["old_version_still_read bi.deep"] });
    expect(await world.sql("SELECT deep.id AS deep, a.id FROM bi.deep, shop.a")).toEqual([{ deep: 1, id: 2 }]);
  });
});
