import { describe, expect } from "vitest";
import { expectOnlyReads } from "./sent-log.ts";
import { blockers, type Files, test, type World } from "./world.ts";

const names = ["audit_items", "raw_items", "stg_items", "stg_items_base"];

describe("view-cascade: the report's project", () => {
  test("one plan builds it, with state in the warehouse as nobody said anything else", async ({ open }) => {
    const world = await open({ project: "view-cascade", state: "warehouse" });
    const { view } = await world.apply();

    expect(view.summary.line).toBe("Plan: 4 to create, 0 to drop, 0 lost. Backfill: 2 intervals in 2 models.");
    const physical = await world.sql<{ name: string; kind: string }>(
      "SELECT relname AS name, relkind AS kind FROM pg_class WHERE relnamespace = 'sqlmesh__repro'::regnamespace AND relkind IN ('r', 'v') ORDER BY 1",
    );
    expect(physical.map(({ name, kind }) => `${kind} ${name.replace(/__[a-z2-7]{10}$/, "__V")}`)).toEqual([
      "r repro__audit_items__V",
      "r repro__raw_items__V",
      "v repro__stg_items__V",
      "v repro__stg_items_base__V",
    ]);
    const virtual = await world.sql(
      "SELECT relname AS name, relkind AS kind FROM pg_class WHERE relnamespace = 'repro'::regnamespace ORDER BY 1",
    );
    expect(virtual).toEqual(names.map((name) => ({ name, kind: "v" })));
    expect(await world.sql("SELECT count(*)::int AS n FROM repro.stg_items")).toEqual([{ n: 1 }]);
    expect(await world.sql("SELECT count(*)::int AS n FROM repro.audit_items")).toEqual([{ n: 2 }]);
  });

  test("a second plan finds nothing and sends nothing but reads; nothing ever asked for cascade", async ({ open }) => {
    const world = await open({ project: "view-cascade" });
    await world.apply();
    const before = world.sent().length;
    const { view } = await world.plan();
    expect(view.summary.line).toBe("No changes. prod matches the project.");
    const sent = world.sent().slice(before);
    expect(sent.length).toBeGreaterThan(5);
    expectOnlyReads(sent);
    expect(world.sent().filter(({ sql }) => /cascade/i.test(sql))).toEqual([]);
  });
});

describe("view-cascade: somebody else's objects on top", () => {
  test("a dropped column that one of them uses: blocked, all three named with owner and columns, nothing changed", async ({
    open,
  }) => {
    const { world, owner } = await withBi(await open({ project: "view-cascade" }));
    const before = await everything(world);
    world.write(withoutName);
    const planned = await world.plan({ allowDestructive: ["repro.audit_items"] });

    expect(planned.view.result).toBe("blocked");
    expect(blockers(planned)).toEqual([
      `outside_object_lost: repro.stg_items loses name, still used: view bi.items (owner ${owner}) uses columns id and name. Keep the column, let its owner stop using it first, or take on the loss: --accept outside_object_lost:bi.items.`,
    ]);
    expect(outside(planned.view.dependents)).toEqual([
      `materialized view bi.mv_base ${owner}: repro.stg_items_base (__is_deleted, id) recreated`,
      `view bi.items ${owner}: repro.stg_items (id, name) blocked`,
      `view bi.mv_top ${owner}: bi.mv_base (id) recreated`,
    ]);
    expect(await everything(world)).toEqual(before);
  });

  test("reordered columns: applied, the served order kept and said, nothing of bi moved", async ({ open }) => {
    const { world } = await withBi(await open({ project: "view-cascade" }));
    const before = await biObjects(world);
    world.write(reordered);
    await world.apply({
      hazards: [
        "history_not_recomputed <repro.audit_items>",
        "served_order_differs repro.stg_items repro.stg_items_base",
      ],
    });

    expect(await biObjects(world)).toEqual(before);
    expect(await columns(world, "repro.stg_items")).toEqual(["id integer", "name text"]);
    expect(await columns(world, "repro.stg_items_base")).toEqual(["id integer", "name text", "__is_deleted boolean"]);
    await world.sql("REFRESH MATERIALIZED VIEW CONCURRENTLY bi.mv_base");
    expect(await world.sql("SELECT * FROM bi.items")).toEqual([{ id: 1, name: "alpha" }]);
    expect(await world.sql("SELECT * FROM bi.mv_top")).toEqual([{ n: "1" }]);
  });

  test("the same, the loss of that one view accepted by name: it is gone, the others are as they were", async ({
    open,
  }) => {
    const { world } = await withBi(await open({ project: "view-cascade" }));
    const before = await biObjects(world);
    world.write(withoutName);
    const accept = ["outside_object_lost:bi.items", "outside_object_lost:bi.nothing"];
    const planned = await world.plan({ allowDestructive: ["repro.audit_items"], accept });
    expect(planned.view.warnings).toContain(
      "--accept outside_object_lost:bi.nothing matches nothing that this plan would lose.",
    );
    await world.carryOut(planned);
    expect(await withoutIds(biObjects(world))).toEqual(
      (await withoutIds(Promise.resolve(before))).filter((each) => !("relname" in each && each.relname === "items")),
    );
    expect(planned.plan.effects.captured.map((each) => each.object.name)).toContain("items");
    expect(planned.view.dependents.filter((each) => each.fate === "lost").map((each) => each.object.name)).toEqual([
      "items",
    ]);
    expect(await world.sql("SELECT * FROM bi.mv_top")).toEqual([{ n: "1" }]);
    expect((await world.plan({ allowDestructive: ["repro.audit_items"] })).view.result).toBe("empty");
  });

  test("a retyped column that none of them uses: applied, and all three are as they were, rows included", async ({
    open,
  }) => {
    const { world } = await withBi(await open({ project: "view-cascade" }));
    const before = await biObjects(world);
    world.write(narrowed);
    const { view } = await world.apply({
      hazards: [
        "outside_object_recreated bi.mv_base bi.mv_top",
        "column_retyped repro.stg_items_base",
        "history_not_recomputed <repro.audit_items>",
        "reader_wait bi.mv_base",
        "view_recreated repro.stg_items_base",
      ],
    });

    expect(await withoutIds(biObjects(world))).toEqual(await withoutIds(Promise.resolve(before)));
    expect(view.dependents.filter((each) => !each.managed).map((each) => `${each.object.name} ${each.fate}`)).toEqual([
      "items kept",
      "mv_base recreated",
      "mv_top recreated",
    ]);
    expect(await columns(world, "repro.stg_items_base")).toEqual([
      "id integer",
      "name character varying(50)",
      "__is_deleted boolean",
    ]);
    expect(await world.sql("TABLE bi.items")).toEqual([{ id: 1, name: "alpha" }]);
    expect(await world.sql("TABLE bi.mv_base")).toEqual([{ id: 1, __is_deleted: false }]);
    expect(await world.sql("TABLE bi.mv_top")).toEqual([{ n: "1" }]);
    await world.sql("REFRESH MATERIALIZED VIEW CONCURRENTLY bi.mv_base");
  });
});

/** All but what every new object has of its own. */
async function withoutIds(objects: Promise<object[]>): Promise<object[]> {
  return (await objects).map((each) => ({ ...each, oid: null, relfilenode: null }));
}

const withoutName: Files = {
  "models/stg_items_base.sql": `MODEL (name repro.stg_items_base, kind VIEW);

SELECT id, __is_deleted FROM repro.raw_items`,
  "models/stg_items.sql": `MODEL (name repro.stg_items, kind VIEW);

SELECT id FROM repro.stg_items_base WHERE NOT __is_deleted`,
  "models/audit_items.sql": `MODEL (name repro.audit_items, kind INCREMENTAL_BY_PARTITION, partitioned_by id);

SELECT id, __is_deleted FROM repro.stg_items_base`,
};

const reordered: Files = {
  "models/stg_items_base.sql": `MODEL (name repro.stg_items_base, kind VIEW);

SELECT name, id, __is_deleted FROM repro.raw_items`,
  "models/stg_items.sql": `MODEL (name repro.stg_items, kind VIEW);

SELECT name, id FROM repro.stg_items_base WHERE NOT __is_deleted`,
};

const narrowed: Files = {
  "models/stg_items_base.sql": `MODEL (name repro.stg_items_base, kind VIEW);

SELECT id, name::varchar(50) AS name, __is_deleted FROM repro.raw_items`,
  "models/stg_items.sql": `MODEL (name repro.stg_items, kind VIEW);

SELECT id, name::text AS name FROM repro.stg_items_base WHERE NOT __is_deleted`,
  "models/audit_items.sql": `MODEL (name repro.audit_items, kind INCREMENTAL_BY_PARTITION, partitioned_by id);

SELECT id, name::text AS name, __is_deleted FROM repro.stg_items_base`,
};

/** As the report has it: a view, a materialized view with a unique index, and a view on that one. */
async function withBi(world: World): Promise<{ readonly world: World; readonly owner: string }> {
  const owner = await world.role("bi_owner");
  const reader = await world.role("bi_reader");
  await world.apply();
  await world.sql(`
    CREATE SCHEMA bi AUTHORIZATION ${owner};
    GRANT USAGE ON SCHEMA repro, bi TO ${owner}, ${reader};
    GRANT SELECT ON ALL TABLES IN SCHEMA repro TO ${owner}, ${reader};
    SET ROLE ${owner};
    CREATE VIEW bi.items WITH (security_invoker = true) AS SELECT id, name FROM repro.stg_items;
    COMMENT ON COLUMN bi.items.name IS 'as sold';
    GRANT SELECT ON bi.items TO ${reader};
    CREATE MATERIALIZED VIEW bi.mv_base AS SELECT id, __is_deleted FROM repro.stg_items_base WHERE NOT __is_deleted;
    CREATE UNIQUE INDEX mv_base_id ON bi.mv_base (id);
    CREATE VIEW bi.mv_top AS SELECT count(id) AS n FROM bi.mv_base;
    RESET ROLE;`);
  return { world, owner };
}

function outside(dependents: Awaited<ReturnType<World["plan"]>>["view"]["dependents"]): readonly string[] {
  return dependents
    .filter((each) => !each.managed)
    .map(({ object, owner, of, fate }) => {
      const uses = of.map((use) => `${use.object.schema}.${use.object.name} (${[...use.columns].sort().join(", ")})`);
      return `${object.type} ${object.schema}.${object.name} ${owner}: ${uses.join("; ")} ${fate}`;
    })
    .sort();
}

async function columns(world: World, relation: string): Promise<readonly string[]> {
  const rows = await world.sql<{ column: string }>(
    "SELECT attname || ' ' || format_type(atttypid, atttypmod) AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
    [relation],
  );
  return rows.map((row) => row.column);
}

/** Identity, owner, grants, options, comments and indexes of what stands in `bi`. */
function biObjects(world: World): Promise<object[]> {
  return world.sql(`
    SELECT c.oid, c.relname, c.relfilenode, c.relowner::regrole, (SELECT array_agg(g::text ORDER BY g::text) FROM unnest(coalesce(c.relacl, acldefault('r', c.relowner))) AS g) AS acl, c.reloptions, pg_get_viewdef(c.oid) AS definition,
           pg_get_indexdef(c.oid) AS index,
           (SELECT array_agg(col_description(c.oid, a.attnum) ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid) AS comments
      FROM pg_class c WHERE c.relnamespace = 'bi'::regnamespace ORDER BY c.relname`);
}

/** The whole catalog of what isn't the system's, so that a plan is known to have changed nothing. */
function everything(world: World): Promise<object[]> {
  return world.sql(`
    SELECT c.oid, c.relname, c.relfilenode, c.relowner, c.relacl::text, c.reloptions, c.xmin::text, pg_get_viewdef(c.oid) AS definition
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY c.oid`);
}
