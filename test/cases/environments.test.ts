import { describe, expect } from "vitest";
import { blockers, type Files, model, test, type World } from "./world.ts";

const dev = { environment: "dev" };

describe("dev and prod", () => {
  test("a new environment of what prod has is made of views alone", async ({ open }) => {
    const world = await open({ project: "view-cascade" });
    await world.apply();
    const before = await physicals(world);
    const { view } = await world.apply({}, dev);
    expect(view.actions.map((action) => action.title)).toEqual([
      "create schema repro__dev",
      "create view repro__dev.audit_items",
      "create view repro__dev.raw_items",
      "create view repro__dev.stg_items",
      "create view repro__dev.stg_items_base",
    ]);
    expect(await physicals(world)).toEqual(before);
  });

  test("what dev builds leaves prod as it is, and prod then uses dev's build", async ({ world }) => {
    const files = (value: number): Files => ({
      ...model("shop.a", "kind FULL", `SELECT ${value} AS id`),
      ...model("shop.m", "kind VIEW (materialized true)", "SELECT id FROM shop.a"),
    });
    world.write(files(1));
    await world.apply();
    const prod = await prodObjects(world);
    world.write(files(2));
    await world.apply({}, dev);
    expect(await prodObjects(world)).toEqual(prod);
    expect(await world.sql("SELECT a.id AS prod, d.id AS dev FROM shop.m AS a, shop__dev.m AS d")).toEqual([
      { prod: 1, dev: 2 },
    ]);
    const built = await physicals(world);
    const { view } = await world.apply();
    expect(view.actions.filter((action) => action.layer === "physical")).toEqual([]);
    expect(view.backfills).toEqual([]);
    expect(await physicals(world)).toEqual(built);
    expect(await world.physical("shop.m")).toBe(await world.physical("shop.m", "dev"));
    expect(await world.sql("SELECT id FROM shop.m")).toEqual([{ id: 2 }]);
  });

  test("a table with history: dev gets a preview of its own; prod adds the column to the table it has, never using the preview", async ({
    world,
  }) => {
    await world.source("CREATE SCHEMA raw; CREATE TABLE raw.t AS SELECT 1 AS id, 'x' AS name");
    world.write(history("id"));
    await world.apply();
    const table = await world.physical("shop.t");
    const [before] = await world.sql<{ oid: number }>("SELECT $1::regclass::oid AS oid", [table]);

    world.write(history("id, name"));
    await world.apply({}, dev);
    const preview = await world.physical("shop.t", "dev");
    expect(preview).toMatch(/__dev"$/);
    expect(await world.sql("SELECT * FROM shop__dev.t")).toEqual([{ id: 1, name: "x" }]);
    expect(await world.sql("SELECT * FROM shop.t")).toEqual([{ id: 1 }]);

    const { view } = await world.apply({ hazards: ["history_not_recomputed <shop.t>"] });
    expect(view.backfills).toEqual([]);
    expect(await world.physical("shop.t")).toBe(table);
    expect(await world.sql("SELECT $1::regclass::oid AS oid", [table])).toEqual([before]);
    // The row was there before the column was.
    expect(await world.sql("SELECT * FROM shop.t")).toEqual([{ id: 1, name: null }]);
  });

  test("a column of a table with history goes only with somebody's word, and never while another environment reads it", async ({
    world,
  }) => {
    await world.source("CREATE SCHEMA raw; CREATE TABLE raw.t AS SELECT 1 AS id, 'x' AS name");
    world.write(history("id, name"));
    await world.apply();
    await world.apply({}, dev);
    world.write(history("id"));
    const allowed = { allowDestructive: ["shop.t"] };
    const table = (await world.environment()).models.find((each) => each.model === "shop.t")?.relation;
    const owner = world.client.user;
    const inUse = `version_in_use: name of sqlmesh__shop.${table?.name} can't go: view shop__dev.t (owner ${owner}) of the environment dev still reads it.`;
    expect(blockers(await world.plan())).toEqual([
      `forward_only_destructive: shop.t keeps its history, and name of sqlmesh__shop.${table?.name} would be dropped or retyped. Allow it with --allow-destructive-model shop.t.`,
      inUse,
    ]);
    expect(blockers(await world.plan(allowed))).toEqual([inUse]);
    expect(await world.sql("SELECT * FROM shop.t")).toEqual([{ id: 1, name: "x" }]);

    // Dev goes on to a preview without the column, and then nothing reads it any more.
    await world.apply({ hazards: ["columns_removed shop__dev.t", "view_recreated shop__dev.t"] }, dev);
    await world.apply(
      {
        hazards: [
          "data_loss <shop.t>",
          "forward_only_destructive <shop.t>",
          "columns_removed shop.t",
          "history_not_recomputed <shop.t>",
          "view_recreated shop.t",
        ],
      },
      allowed,
    );
    expect(await world.sql("SELECT * FROM shop.t")).toEqual([{ id: 1 }]);
    expect((await world.environment()).models.find((each) => each.model === "shop.t")?.relation).toEqual(table);
  });
});

function history(columns: string): Files {
  return model("shop.t", "kind INCREMENTAL_BY_PARTITION, partitioned_by id", `SELECT ${columns} FROM raw.t`);
}

function physicals(world: World): Promise<object[]> {
  return world.sql(`
    SELECT c.oid, c.relname, c.relfilenode, c.xmin::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname LIKE 'sqlmesh\\_\\_%' ORDER BY c.oid`);
}

/** What prod serves, and the objects behind. */
async function prodObjects(world: World): Promise<object[]> {
  const { models } = await world.environment();
  const names = models.flatMap((each) => [each.view, each.relation]).flatMap((each) => each?.name ?? []);
  return world.sql(
    "SELECT oid, relname, relfilenode, xmin::text, pg_get_viewdef(oid) AS definition FROM pg_class WHERE relname = ANY($1) AND relnamespace <> coalesce(to_regnamespace('shop__dev'), 0) ORDER BY oid",
    [names],
  );
}
