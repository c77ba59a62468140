import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { relationKey } from "../../server/core/base/relation-name.ts";
import type { Catalog, CatalogRelation, ClosureMember } from "../../server/core/catalog/catalog.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import type { CatalogRequest } from "../../server/ports/warehouse.ts";
import { connectionTo } from "./connection.ts";
import { asRole, createDatabase, createRole, type TestDatabase, type TestRole } from "./database.ts";
import { buildZoo, hasExtension } from "./zoo.ts";

const NOTHING: CatalogRequest = { project: "p", environment: "prod", schemas: [], relations: [], closures: [] };

describe("reading the catalog", () => {
  let database: TestDatabase;
  let reader: TestRole;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createDatabase("catalog");
    reader = await createRole(database, "reader");
    client = new pg.Client(database);
    await client.connect();
    await buildZoo(client);
  });
  afterAll(() => client.end());

  async function read(request: Partial<CatalogRequest>, as: TestDatabase = database): Promise<Catalog> {
    const warehouse = await openWarehouse(connectionTo(as));
    try {
      return await warehouse.readCatalog({ ...NOTHING, ...request });
    } finally {
      await warehouse.close();
    }
  }

  async function relation(name: string): Promise<CatalogRelation> {
    const catalog = await read({ relations: [{ schema: "zoo", name }] });
    const [found] = catalog.relations;
    if (found === undefined) throw new Error(`no relation ${name}`);
    return found;
  }

  async function members(name: string): Promise<ReadonlyMap<string, ClosureMember>> {
    const catalog = await read({ closures: [{ schema: "zoo", name }] });
    return new Map((catalog.closures[0]?.members ?? []).map((each) => [textOf(each), each]));
  }

  function textOf(member: ClosureMember): string {
    return `${member.object.type} ${member.object.schema}.${member.object.name}`;
  }

  test("says who we are, on which server, and that weir_internal isn't set up", async () => {
    const catalog = await read({ schemas: ["zoo", "nowhere"] });
    expect(catalog.server).toMatchObject({ database: database.database, role: database.user, superuser: true });
    expect(catalog.server.version).toBeGreaterThanOrEqual(140_000);
    expect(catalog.server.deadlockTimeoutMs).toBe(1_000);
    expect(catalog.server.lockSlots).toBeGreaterThan(1_000);
    expect(catalog.schemas).toEqual([{ name: "zoo", owner: database.user, mayCreate: true, mayUse: true }]);
    expect(catalog.internalReady).toBe(false);
    expect(catalog.environmentMarker).toBeNull();
  });

  test("reads a role without rights as one without rights", async () => {
    const catalog = await read(
      { schemas: ["zoo"], relations: [{ schema: "zoo", name: "v" }] },
      asRole(database, reader),
    );
    expect(catalog.server).toMatchObject({ role: reader.name, superuser: false, mayCreateSchemas: false });
    expect(catalog.schemas[0]).toMatchObject({ mayCreate: false, mayUse: false });
    expect(catalog.relations[0]).toMatchObject({ mayAlter: false, owner: database.user });
  });

  test("leaves out what doesn't exist and sorts the rest by key", async () => {
    const names = ["v2", "nothing", "base"].map((name) => ({ schema: "zoo", name }));
    const catalog = await read({ relations: [...names, { schema: "missing", name: "v" }] });
    expect(catalog.relations.map((each) => relationKey(each.name))).toEqual(["zoo.base", "zoo.v2"]);
  });

  test("reads columns with their exact types, collations, defaults, comments and grants", async () => {
    await client.query(`COMMENT ON COLUMN zoo.base.name IS 'as written'`);
    await client.query(`GRANT SELECT (name) ON zoo.base TO "${reader.name}" WITH GRANT OPTION`);
    const base = await relation("base");
    expect(base.columns.map((column) => [column.name, column.type, column.notNull, column.hasDefault])).toEqual([
      ["id", "integer", true, false],
      ["serial_no", "integer", true, true],
      ["name", "text", true, true],
      ["amount", "numeric(12,2)", false, false],
      ["big", "text", false, false],
    ]);
    expect(base.columns[2]).toMatchObject({
      collation: '"C"',
      comment: "as written",
      grants: [{ grantor: database.user, grantee: reader.name, privilege: "SELECT", grantable: true }],
    });
    expect(base.indexes.map((index) => [index.name, index.unique, index.valid])).toEqual([
      ["base_name", false, true],
      ["base_pkey", true, true],
    ]);
  });

  test("reads a view's options, rules, triggers, definition and grants, NULL and default ACL being the same", async () => {
    await client.query("ALTER VIEW zoo.v2 SET (security_barrier = true, check_option = local)");
    expect(await relation("v2")).toMatchObject({
      options: ["check_option=local", "security_barrier=true"],
      kind: "view",
    });
    const v = await relation("v");
    expect(v).toMatchObject({ rules: ["quiet"], triggers: ["instead"], extension: null });
    expect(v.definition).toContain("zoo.base");
    const before = await relation("counts");
    await client.query(`REVOKE SELECT ON zoo.counts FROM "${reader.name}"`);
    await client.query(`GRANT SELECT ON zoo.counts TO "${database.user}"`);
    expect((await relation("counts")).fingerprint).toBe(before.fingerprint);
    expect(before.grants).toContainEqual({
      grantor: database.user,
      grantee: database.user,
      privilege: "SELECT",
      grantable: false,
    });
  });

  test("reads a materialized view with its indexes and whether it is filled", async () => {
    const mv = await relation("mv");
    expect(mv).toMatchObject({ kind: "materialized_view", populated: true, estimatedRows: null });
    expect(mv.indexes.map((index) => index.name)).toEqual(["mv_amount", "mv_id"]);
    expect(mv.bytes).toBeGreaterThan(0);
  });

  test.each([
    ["a comment", "COMMENT ON VIEW zoo.subject IS 'x'"],
    ["a column's comment", "COMMENT ON COLUMN zoo.subject.id IS 'x'"],
    ["a grant", "GRANT SELECT ON zoo.subject TO PUBLIC"],
    ["a column grant", "GRANT SELECT (id) ON zoo.subject TO PUBLIC"],
    ["an option", "ALTER VIEW zoo.subject SET (security_barrier = true)"],
    ["a rule", "CREATE RULE r AS ON DELETE TO zoo.subject DO INSTEAD NOTHING"],
    ["a rule's text", "CREATE OR REPLACE RULE r AS ON DELETE TO zoo.subject DO INSTEAD SELECT 1"],
    ["a column's default", "ALTER VIEW zoo.subject ALTER COLUMN id SET DEFAULT 7"],
    [
      "its query",
      "CREATE OR REPLACE VIEW zoo.subject AS SELECT id, 'q'::text COLLATE \"C\" AS name FROM zoo.diamond_a",
    ],
  ])("the fingerprint of a view changes with %s", async (_what, sql) => {
    const before = await relation("subject");
    await client.query(sql);
    expect((await relation("subject")).fingerprint).not.toBe(before.fingerprint);
  });

  test("the fingerprint doesn't change with time, with rows, or with a new dependent", async () => {
    const before = await relation("base");
    await client.query("INSERT INTO zoo.base (name) SELECT 'n' FROM generate_series(1, 500)");
    await client.query("ANALYZE zoo.base");
    await client.query("CREATE VIEW zoo.new_dependent AS SELECT id FROM zoo.base");
    const after = await relation("base");
    expect(after.fingerprint).toBe(before.fingerprint);
    expect(after.estimatedRows).toBe(500);
    await client.query("DROP VIEW zoo.new_dependent");
  });

  test("folds a closure into objects as people name them, with the columns that each uses", async () => {
    const found = await members("v");
    expect(found.get("view zoo.v2")).toMatchObject({
      treatment: "unit",
      depth: 1,
      owner: database.user,
      uses: [{ object: { schema: "zoo", name: "v", type: "view" }, columns: ["id", "name"] }],
    });
    expect(found.get("view zoo.diamond")).toMatchObject({ depth: 3 });
    expect(found.get("view zoo.diamond")?.uses.map((use) => use.object.name)).toEqual(["diamond_a", "diamond_b"]);
    expect(found.get('view Bi "Ward".Odd näme; --')?.uses[0]?.columns).toEqual(["id"]);
    expect(found.get("materialized view zoo.mv")?.uses[0]?.columns).toEqual(["id", "amount"]);
    expect(found.get("index zoo.mv_id")).toMatchObject({ treatment: "unit", depth: 2 });
    expect(found.get("statistics object zoo.mv_stats")?.uses[0]?.columns).toEqual(["id", "amount"]);
    expect(found.get("view zoo.on_mv")).toMatchObject({ depth: 2 });
    // Types of this text say nothing about the parts of a view: no rule _RETURN, no row type, no array type.
    expect([...found.keys()].filter((key) => key.includes("_RETURN") || key.startsWith("type"))).toEqual([
      "type zoo.array_of_v",
    ]);
  });

  test("a whole-row use and a count say that the columns aren't known", async () => {
    const found = await members("v");
    expect(found.get("view zoo.counts")?.uses[0]?.columns).toBe("unknown");
    expect(found.get("view zoo.whole")?.uses[0]?.columns).toBe("unknown");
    expect(found.get("function zoo.set_of_v()")).toMatchObject({ treatment: "unit" });
    expect(found.get("function zoo.set_of_v()")?.uses[0]?.columns).toBe("unknown");
    expect(found.get("function zoo.atomic_body(integer)")?.uses[0]?.columns).toEqual(["id"]);
    expect([...found.keys()]).not.toContain("function zoo.text_body()");
  });

  test("rules, triggers, policies and defaults are objects of their own, named with what they are on", async () => {
    const found = await members("v");
    for (const key of [
      "rule zoo.quiet on v",
      "rule zoo.copies on other",
      "trigger zoo.instead on v",
      "policy zoo.only_known on guarded",
      "default value zoo.name on v",
      "default value zoo.id on with_default",
    ]) {
      expect(found.get(key), key).toMatchObject({ treatment: "unit", owner: database.user });
    }
  });

  test("says of each object that can't be brought back why", async () => {
    const found = await members("v");
    const blocked = [...found].filter(([, each]) => each.treatment === "blocked").map(([key]) => key);
    expect(blocked).toEqual(
      expect.arrayContaining([
        "aggregate zoo.agg_v(zoo.v)",
        "operator zoo.@@@(NONE,zoo.v)",
        "type zoo.array_of_v",
        "composite type column zoo.holds_row.one",
        "table column zoo.with_row.seen",
        "table column zoo.with_row.many",
        "table column zoo.typed.one",
      ]),
    );
    expect(found.get("table column zoo.with_row.seen")?.blockedBecause).toBe(
      "it is a column, and its values would be gone",
    );
    expect((await members("base")).get("table zoo.heir")?.blockedBecause).toBe("it holds rows");
    const temporary = [...found].find(([key]) => key.endsWith(".temporary"))?.[1];
    expect(temporary?.blockedBecause).toContain("temporary object of another session");
  });

  test("an extension that would go with a member is named and blocked", async ({ skip }) => {
    if (!(await hasExtension(client, "hstore"))) skip();
    const found = await members("v");
    expect(found.get("extension .hstore")).toMatchObject({ treatment: "blocked", depth: 2 });
    expect(found.get("view zoo.member")).toMatchObject({ treatment: "unit", depth: 1 });
    expect(found.get("view zoo.on_member")).toMatchObject({ treatment: "unit", depth: 2 });
    expect([...found.keys()].filter((key) => key.includes("hstore"))).toEqual(["extension .hstore"]);
    expect((await relation("member")).extension).toBe("hstore");
  });

  test("what a table is made with isn't listed as hanging on it, what others made is", async () => {
    const found = [...(await members("base")).keys()];
    expect(found).toContain("table constraint zoo.other_base_id_fkey on other");
    expect(found).toContain("view zoo.grouped");
    expect(found).toContain("table zoo.heir");
    expect(found.filter((key) => / zoo\.base_|on base$|sequence/.test(key))).toEqual(["index zoo.base_name"]);
  });

  test("reads every relation of a closure, with the fingerprint that its member has", async () => {
    const catalog = await read({ closures: [{ schema: "zoo", name: "v" }] });
    const byName = new Map(catalog.relations.map((each) => [relationKey(each.name), each.fingerprint]));
    const views = catalog.closures[0]?.members.filter((each) => each.object.type.endsWith("view")) ?? [];
    expect(views.length).toBeGreaterThan(10);
    for (const view of views) expect(view.fingerprint).toBe(byName.get(relationKey(view.object)));
  });

  test("reads one closure for each root, sorted, and the same one whether asked alone or with others", async () => {
    const roots = ["v2", "mv", "base", "nothing"].map((name) => ({ schema: "zoo", name }));
    const together = await read({ closures: roots });
    expect(together.closures.map((each) => each.root.name)).toEqual(["base", "mv", "v2"]);
    for (const closure of together.closures) {
      const alone = await read({ closures: [closure.root] });
      expect(alone.closures).toEqual([closure]);
    }
  });
});
