import { describe, expect } from "vitest";
import { polling } from "./polling.ts";
import { verbOf } from "./sent-log.ts";
import { model, test, type World } from "./world.ts";

const downstream = {
  ...model("my_child", "kind VIEW (materialized true)", "SELECT my_column FROM my_mv"),
  ...model("shop.my_table", "kind FULL", "SELECT my_column FROM my_mv"),
};

describe("mv-metadata", () => {
  test("the physical object is a real materialized view, behind a view in schema default", async ({ open }) => {
    const world = await open({ project: "mv-metadata" });
    await world.apply();
    const rows = await world.sql(
      "SELECT n.nspname, c.relkind, c.relispopulated FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1::regclass",
      [await world.physical("my_mv")],
    );
    expect(rows).toEqual([{ nspname: "sqlmesh__default", relkind: "m", relispopulated: true }]);
    expect(await world.physical("my_mv")).toMatch(/^"sqlmesh__default"\."my_mv__[a-z2-7]{10}"$/);
    expect(await world.sql('SELECT * FROM "default"."my_mv"')).toEqual([{ my_column: 1 }]);
  });

  test("labels: metadata, no statement for it, the same object, also of what reads it; a description: nothing but COMMENT", async ({
    open,
  }) => {
    const world = await open({ project: "mv-metadata", files: downstream });
    await world.apply();
    const before = await objects(world);
    for (const property of [
      "tags (mytag_a)",
      "owner ann",
      "cron '@hourly'",
      "grains (my_column)",
      "audits (not_null(columns := (my_column)))",
      "description 'all of it'",
    ]) {
      const sent = world.sent().length;
      world.write(model("my_mv", `kind VIEW (materialized true), ${property}`, "SELECT 1 AS my_column"));
      const { view } = await world.apply();
      expect(view.changes.map(({ model, change }) => `${model} ${change}`)).toEqual(["my_mv metadata"]);
      expect(view.backfills).toEqual([]);
      const verbs = new Set(ddl(world, sent).map(verbOf));
      expect(verbs, property).toEqual(new Set(property.startsWith("description") ? ["COMMENT"] : []));
      expect(await objects(world), property).toEqual(before);
    }
    const comments = await world.sql("SELECT obj_description($1::regclass) AS comment", [
      await world.physical("my_mv"),
    ]);
    expect(comments).toEqual([{ comment: "all of it" }]);
  });

  test("layout and comments of the query are no change at all", async ({ open }) => {
    const world = await open({ project: "mv-metadata", files: downstream });
    await world.apply();
    world.write(
      model("my_mv", "kind VIEW (materialized true)", "select /* one */ 1\n  -- the only column\n  as MY_COLUMN"),
    );
    const { view } = await world.plan();
    expect({ result: view.result, changes: view.changes }).toEqual({ result: "empty", changes: [] });
  });

  test("a changed definition is built beside with its indexes and repointed in one transaction, while a reader never sees an error or nothing", async ({
    open,
  }) => {
    const indexed = "kind VIEW (materialized true), physical_properties (indexes = ('UNIQUE (my_column)'))";
    const world = await open({
      project: "mv-metadata",
      files: model("my_mv", indexed, "SELECT 1 AS my_column"),
    });
    await world.apply();
    const old = await world.physical("my_mv");
    const before = await objects(world);

    world.write(model("my_mv", indexed, "SELECT g AS my_column FROM generate_series(1, 20000) AS g"));
    const reads = await polling(world, 'SELECT count(*)::int AS n FROM "default"."my_mv"', () => world.apply());
    expect(reads.errors).toEqual([]);
    expect(new Set(reads.answers.map((answer) => answer.n))).toEqual(new Set([1, 20_000]));

    const fresh = await world.physical("my_mv");
    expect(fresh).not.toBe(old);
    expect(await world.sql(`REFRESH MATERIALIZED VIEW CONCURRENTLY ${fresh}`)).toEqual([]);
    const promotion = transactionOf(world, 'CREATE OR REPLACE VIEW "default"."my_mv"');
    expect(promotion.filter((sql) => /CREATE/.test(sql))).toHaveLength(1);

    // Going back is a plan of the earlier file: it finds the version that is still there.
    const sent = world.sent().length;
    world.write(model("my_mv", indexed, "SELECT 1 AS my_column"));
    const { view } = await world.apply();
    expect(view.actions.filter((action) => action.layer === "physical")).toEqual([]);
    expect(await world.physical("my_mv")).toBe(old);
    expect((await objects(world)).filter((each) => old.includes(String(each.relname)))).toEqual(
      before.filter((each) => old.includes(String(each.relname))),
    );
    expect(ddl(world, sent).map(verbOf)).toEqual(["ALTER", "CREATE"]);
  });
});

/** What isn't a read and isn't Weir's own bookkeeping. */
function ddl(world: World, since: number): readonly string[] {
  const quiet = new Set(["SELECT", "SHOW", "SET", "BEGIN", "COMMIT", "ROLLBACK"]);
  return world
    .sent()
    .slice(since)
    .map(({ sql }) => sql)
    .filter((sql) => !quiet.has(verbOf(sql)) && !sql.includes("weir_internal"));
}

function objects(world: World): Promise<{ relname: string }[]> {
  return world.sql(`
    SELECT c.oid, c.relname, c.relfilenode, c.xmin::text, c.relowner, c.relacl::text FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname LIKE 'sqlmesh\\_\\_%' ORDER BY c.oid`);
}

/** Every statement of the transaction in which something was sent. */
function transactionOf(world: World, text: string): readonly string[] {
  const sent = world.sent();
  const at = sent.findLastIndex(({ sql }) => sql.includes(text));
  const session = sent[at]?.session;
  const own = sent.map((each, index) => ({ ...each, index })).filter((each) => each.session === session);
  const begin = own.findLast((each) => each.index <= at && verbOf(each.sql) === "BEGIN")?.index ?? 0;
  const commit = own.find((each) => each.index > at && verbOf(each.sql) === "COMMIT")?.index ?? 0;
  return own.filter((each) => each.index >= begin && each.index <= commit).map((each) => each.sql);
}
