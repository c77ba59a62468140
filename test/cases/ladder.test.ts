import { describe, expect } from "vitest";
import { polling } from "./polling.ts";
import { type Files, model, test, type World } from "./world.ts";

describe("how names change what they stand for", () => {
  test("B54: thirty views change together five times, at the first try, with the same statements in every world", async ({
    open,
  }) => {
    const names = Array.from({ length: 30 }, (_, index) => `v${String(index + 1).padStart(2, "0")}`);
    const top = names.slice(0, 5).map((name) => `shop.${name}`);
    const files = (value: number): Files =>
      Object.assign(
        { "models/top.sql": `MODEL (name shop.top, kind VIEW);\n\nSELECT v01.id FROM ${top.join(", ")}` },
        ...names.map((name) => model(`shop.${name}`, "kind VIEW", `SELECT ${value} AS id`)),
      );
    const statements = async (world: World, times: number) => {
      const lists: string[][] = [];
      for (let round = 1; round <= times; round += 1) {
        world.write(files(round));
        const planned = await world.plan({ environment: "dev" });
        await world.carryOut(planned);
        lists.push(planned.view.actions.flatMap((action) => action.statements.map((each) => each.sql)));
      }
      return lists;
    };
    const world = await open();
    const five = await statements(world, 5);
    expect(await statements(await open(), 2)).toEqual(five.slice(0, 2));
    expect(
      five
        .slice(1)
        .flat()
        .filter((sql) => /DROP/.test(sql)),
    ).toEqual([]);
    expect(await world.sql("SELECT id FROM shop__dev.top")).toEqual([{ id: 5 }]);
    expect((await world.plan({ environment: "dev" })).view.result).toBe("empty");
  });

  test("B56: a model goes from view to materialized view to table and back, with a materialized view on it throughout", async ({
    world,
  }) => {
    const kinds = ["VIEW", "VIEW (materialized true)", "FULL", "VIEW"];
    const relkinds: string[] = [];
    world.write(model("shop.y", "kind VIEW (materialized true)", "SELECT id FROM shop.x"));
    for (const kind of kinds) {
      world.write(model("shop.x", `kind ${kind}`, "SELECT 1 AS id"));
      await world.apply();
      const [row] = await world.sql<{ relkind: string }>("SELECT relkind FROM pg_class WHERE oid = $1::regclass", [
        await world.physical("shop.x"),
      ]);
      relkinds.push(row?.relkind ?? "");
      expect(await world.sql("SELECT x.id FROM shop.x JOIN shop.y ON x.id = y.id")).toEqual([{ id: 1 }]);
    }
    expect(relkinds).toEqual(["v", "m", "r", "v"]);
  });

  test("B57: the indexes of a materialized view are made on its new version; one made by hand is said to be left behind", async ({
    world,
  }) => {
    const m = (where: string): Files => ({
      "models/m.sql": `MODEL (name shop.m, kind VIEW (materialized true));

SELECT g AS id, CURRENT_DATE AS due FROM generate_series(1, 10) AS g WHERE ${where};

CREATE UNIQUE INDEX m_id ON @this_model (id)`,
    });
    world.write(m("g > 0"));
    await world.apply();
    await world.sql(`CREATE INDEX hand_ix ON ${await world.physical("shop.m")} (due)`);
    world.write(m("g > 1"));
    await world.apply({ hazards: ["index_not_carried sqlmesh__shop.hand_ix"] });
    const physical = await world.physical("shop.m");
    expect(await world.sql(`REFRESH MATERIALIZED VIEW CONCURRENTLY ${physical}`)).toEqual([]);
    expect(await indexes(world, physical)).toEqual(["UNIQUE (id)"]);
  });

  test("B61: a column that a chain of views passes on can't be dropped in this version, and all of them are named", async ({
    world,
  }) => {
    const chain = (columns: string): Files => ({
      ...model("shop.t", "kind INCREMENTAL_BY_PARTITION, partitioned_by id", `SELECT ${columns} FROM raw.t`),
      ...model("shop.v1", "kind VIEW", `SELECT ${columns} FROM shop.t`),
      ...model("shop.v2", "kind VIEW", `SELECT ${columns} FROM shop.v1`),
      ...model("shop.v3", "kind VIEW", `SELECT ${columns} FROM shop.v2`),
    });
    await world.source("CREATE SCHEMA raw; CREATE TABLE raw.t AS SELECT 1 AS id, 2 AS keep, 3 AS gone");
    world.write(chain("id, keep, gone"));
    await world.apply();
    world.write(chain("id, keep"));
    const planned = await world.plan({ allowDestructive: ["shop.t"] });
    const kept = await Promise.all(["shop.v1", "shop.v2", "shop.v3"].map((name) => world.physical(name)));
    expect(planned.view.blockers.map((each) => each.code)).toEqual([
      "version_in_use",
      "version_in_use",
      "version_in_use",
    ]);
    expect(planned.view.blockers.flatMap((each) => each.objects.map(({ object }) => quoted(object)))).toEqual(kept);
    expect(await world.sql("SELECT gone FROM shop.v3")).toEqual([{ gone: 3 }]);
  });

  test("B62: a column in the middle upstream is served in its place, or last when somebody depends on the view; one at the end in place", async ({
    world,
  }) => {
    const raw = model("shop.raw", "kind FULL", "SELECT 1 AS id, 'n' AS name, 'k' AS kind, 2 AS extra");
    const a = (columns: string): Files => model("shop.a", "kind VIEW", `SELECT ${columns} FROM shop.raw`);
    world.write({ ...raw, ...a("id, name"), ...model("shop.b", "kind VIEW", "SELECT * FROM shop.a") });
    await world.apply();
    world.write(a("id, kind, name"));
    const { view } = await world.apply({ hazards: ["view_recreated shop.a shop.b"] });
    expect(await columns(world, "shop.b")).toEqual(["id", "kind", "name"]);
    const recreated = view.actions.filter((action) => action.strategy === "recreate");
    expect(recreated.map((action) => [action.title, ...action.whyNotLower])).toEqual([
      ["drop and create view shop.a", "column name moves to position 3"],
      ["drop and create view shop.b", "column name moves to position 3"],
    ]);

    const before = await world.sql("SELECT 'shop.a'::regclass::oid AS a, 'shop.b'::regclass::oid AS b");
    world.write(a("id, kind, name, extra"));
    await world.apply();
    expect(await world.sql("SELECT 'shop.a'::regclass::oid AS a, 'shop.b'::regclass::oid AS b")).toEqual(before);
    expect(await columns(world, "shop.b")).toEqual(["id", "kind", "name", "extra"]);

    await world.sql("CREATE SCHEMA bi; CREATE VIEW bi.on_b AS SELECT name FROM shop.b");
    world.write(a("extra, id, name, kind"));
    await world.apply({ hazards: ["served_order_differs shop.b", "view_recreated shop.a"] });
    expect(await columns(world, "shop.b")).toEqual(["id", "kind", "name", "extra"]);
    expect(await world.sql("SELECT * FROM bi.on_b")).toEqual([{ name: "n" }]);
  });

  test("a column in the middle goes: what uses a later one by name comes back, what goes by places blocks", async ({
    world,
  }) => {
    const v = (columns: string): Files => model("shop.v", "kind VIEW", `SELECT ${columns} FROM shop.t`);
    world.write({ ...model("shop.t", "kind FULL", "SELECT 1 AS a, 2 AS b, 3 AS c"), ...v("a, b, c") });
    await world.apply();
    await world.sql("CREATE SCHEMA bi; CREATE VIEW bi.by_name AS SELECT c FROM shop.v");
    world.write(v("a, c"));
    await world.carryOut(await world.plan());
    expect(await world.sql("SELECT c FROM bi.by_name")).toEqual([{ c: 3 }]);
    expect(await columns(world, "shop.v")).toEqual(["a", "c"]);

    await world.sql("CREATE VIEW bi.by_place AS SELECT q.y FROM shop.v AS q(x, y)");
    world.write(v("c"));
    const planned = await world.plan();
    expect(planned.view.blockers.map((each) => `${each.code} ${each.objects[0]?.object.name}`)).toEqual([
      "outside_object_lost by_place",
    ]);
    expect(await world.sql("SELECT y FROM bi.by_place")).toEqual([{ y: 3 }]);
  });

  test("an index that calls a function which hangs on the view, too: all three come back", async ({ world }) => {
    const v = (type: string): Files => model("shop.v", "kind VIEW", `SELECT id, note::${type} AS note FROM shop.t`);
    world.write({ ...model("shop.t", "kind FULL", "SELECT 1 AS id, 'n'::text AS note"), ...v("text") });
    await world.apply();
    await world.sql(`
      CREATE SCHEMA bi;
      CREATE FUNCTION bi.a_fn(n integer) RETURNS bigint IMMUTABLE LANGUAGE sql
        BEGIN ATOMIC SELECT count(id) + n FROM shop.v; END;
      CREATE MATERIALIZED VIEW bi.m AS SELECT id FROM shop.v;
      CREATE INDEX m_ix ON bi.m (bi.a_fn(id));`);
    world.write(v("varchar(50)"));
    await world.carryOut(await world.plan());
    expect(await indexes(world, "bi.m")).toEqual(["(bi.a_fn(id))"]);
    expect(await world.sql("SELECT bi.a_fn(id)::int AS n FROM bi.m")).toEqual([{ n: 2 }]);
    expect((await world.plan()).view.result).toBe("empty");
  });

  test("B65: while a slow model between a root and its leaf is built, the leaf can be read at every moment", async ({
    world,
  }) => {
    const root = (type: string): Files => model("shop.root", "kind VIEW", `SELECT 1::${type} AS id`);
    world.write({
      ...root("int"),
      ...model("shop.slow", "kind FULL", "SELECT id, pg_sleep(1)::text AS nap FROM shop.root"),
      ...model("shop.leaf", "kind VIEW", "SELECT s.id FROM shop.slow AS s JOIN shop.root AS r ON r.id = s.id"),
    });
    await world.apply();
    world.write(root("bigint"));
    const reads = await polling(world, "SELECT count(*)::int AS n FROM shop.leaf", async () => {
      const { view } = await world.apply({
        hazards: ["column_retyped shop.leaf shop.root shop.slow", "view_recreated shop.leaf shop.root shop.slow"],
      });
      expect(view.tiles.downtime.headline).toBe("None");
    });
    expect(reads.errors).toEqual([]);
    expect(reads.answers.length).toBeGreaterThan(10);
    expect(new Set(reads.answers.map((answer) => answer.n))).toEqual(new Set([1]));
  });

  test("B66: in dev, a view between two tables that changed is there and reads dev's rows", async ({ world }) => {
    const files = (value: number): Files => ({
      ...model("shop.t1", "kind FULL", `SELECT ${value} AS id`),
      ...model("shop.v2", "kind VIEW", "SELECT id FROM shop.t1"),
      ...model("shop.t3", "kind FULL", `SELECT id, ${value} AS version FROM shop.v2`),
    });
    world.write(files(1));
    await world.apply();
    world.write(files(2));
    await world.apply({}, { environment: "dev" });
    expect(await world.sql("SELECT v2.id, t3.version FROM shop__dev.v2 JOIN shop__dev.t3 USING (id)")).toEqual([
      { id: 2, version: 2 },
    ]);
    expect(await world.sql("SELECT v2.id, t3.version FROM shop.v2 JOIN shop.t3 USING (id)")).toEqual([
      { id: 1, version: 1 },
    ]);
  });

  test("B79: an index with a fixed name is made on every version of the table", async ({ world }) => {
    const t = (value: number): Files => ({
      "models/t.sql": `MODEL (name shop.t, kind FULL);

SELECT ${value} AS id, CURRENT_DATE AS due;

CREATE INDEX IF NOT EXISTS ix_due ON @this_model (due)`,
    });
    for (const value of [1, 2]) {
      world.write(t(value));
      await world.apply();
      expect(await indexes(world, await world.physical("shop.t"))).toEqual(["(due)"]);
    }
  });
});

function quoted({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `"${schema}"."${name}"`;
}

async function columns(world: World, relation: string): Promise<readonly string[]> {
  const rows = await world.sql<{ attname: string }>(
    "SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
    [relation],
  );
  return rows.map((row) => row.attname);
}

async function indexes(world: World, relation: string): Promise<readonly string[]> {
  const rows = await world.sql<{ text: string }>(
    `SELECT CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END || substring(pg_get_indexdef(indexrelid) from '\\(.*') AS text
       FROM pg_index WHERE indrelid = $1::regclass AND indisvalid ORDER BY 1`,
    [relation],
  );
  return rows.map((row) => row.text);
}
