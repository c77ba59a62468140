import { describe, expect, it } from "vitest";
import { aModel, aProject } from "../../builders/model.ts";

describe("reading a model", () => {
  it("takes everything that a header can say", async () => {
    const model = await aModel(`-- Orders, one row each.
-- Second line.
MODEL (
  name "Sales".Orders, -- not a description
  kind VIEW (materialized TRUE),
  owner 'ilse', tags [b, 'a', b], cron '@daily', cron_tz 'Europe/Berlin', start '2024-01-01', end '2025-01-01', stamp 'x',
  columns (id INT, "Label" character varying (5), at timestamp with time zone, xs numeric(10, 2)[]),
  column_descriptions (id = 'the id', "Label" = 'it''s'),
  partitioned_by (date_trunc('month', at), id),
  depends_on (raw.extra, "Sales".orders),
  grain (id), grains [id, (a, b)],
  physical_properties (indexes = ('UNIQUE (id)', '(at) INCLUDE (id)'), fillfactor = 70, autovacuum_enabled = false, x = 'y'),
  virtual_properties (security_invoker = true),
);
SELECT id, label AS "Label", at, xs FROM raw.orders
`);
    expect(model).toMatchObject({
      key: '"Sales".orders',
      kind: { kind: "materialized_view" },
      columns: [
        { name: "id", type: "INT" },
        { name: "Label", type: "character varying (5)" },
        { name: "at", type: "timestamp with time zone" },
        { name: "xs", type: "numeric(10, 2)[]" },
      ],
      partitionedBy: ["date_trunc('month', at)", "id"],
      physicalProperties: {
        indexes: ["UNIQUE (id)", "(at) INCLUDE (id)"],
        fillfactor: 70,
        autovacuum_enabled: false,
        x: "y",
      },
      virtualProperties: { security_invoker: true },
      metadata: {
        owner: "ilse",
        description: "Orders, one row each.\nSecond line.",
        columnDescriptions: { id: "the id", Label: "it's" },
        tags: ["a", "b"],
        cron: "@daily",
        cronTz: "Europe/Berlin",
        start: "2024-01-01",
        end: "2025-01-01",
        stamp: "x",
        other: { grain: "( id )", grains: "[ id , ( a , b ) ]" },
      },
      references: [
        { relation: { schema: "raw", name: "orders" }, place: { line: 15, column: 42 } },
        { relation: { schema: "raw", name: "extra" }, place: { line: 10, column: 15 } },
      ],
    });
  });

  it.each([
    ["VIEW", { kind: "view" }],
    ["view (materialized false)", { kind: "view" }],
    ["FULL", { kind: "full" }],
    ["EMBEDDED", { kind: "embedded" }],
    ["INCREMENTAL_BY_PARTITION, partitioned_by id", { kind: "incremental_by_partition" }],
  ])("knows the kind %s", async (kind, expected) => {
    expect((await aModel(`MODEL (name s.a, kind ${kind}); SELECT 1 AS id`)).kind).toEqual(expected);
  });

  it("takes VIEW for a model without kind, and the defaults for what a header leaves out", async () => {
    const text = "MODEL (name s.a, physical_properties (fillfactor = none, b = 2)); SELECT 1 AS id";
    expect((await aModel(text)).kind).toEqual({ kind: "view" });
    const model = await aModel(text, {
      defaults: { kind: { kind: "full" }, owner: "all", physicalProperties: { fillfactor: 50, a: 1 } },
    });
    expect(model).toMatchObject({
      kind: { kind: "full" },
      metadata: { owner: "all" },
      physicalProperties: { a: 1, b: 2 },
    });
    expect(model.physicalProperties).not.toHaveProperty("fillfactor");
  });

  it("tells what runs before the query from what runs after it", async () => {
    const model = await aModel(
      "MODEL (name s.a, kind FULL);\nSET work_mem = '1GB';\nANALYZE raw.t;\nSELECT 1 AS id;\nCREATE INDEX ON @this_model (id);\n",
    );
    expect(model.preStatements.map((each) => each.expanded)).toEqual(["SET work_mem = '1GB'", "ANALYZE raw.t"]);
    expect(model.postStatements).toMatchObject([
      { expanded: "CREATE INDEX ON __weir.this_model (id)", place: { line: 5, column: 1 } },
    ]);
    expect(model.query).toMatchObject({
      expanded: "SELECT 1 AS id",
      place: { path: "models/model.sql", line: 4, column: 1 },
    });
    expect(model.references).toEqual([]);
  });

  it("takes the gateway's own database off names, so that both spellings are one query", async () => {
    const model = await aModel(
      "MODEL (name warehouse.s.a); SELECT a.x, 'warehouse.s.t' FROM warehouse . s.t AS a JOIN s.u ON true",
    );
    expect(model.key).toBe("s.a");
    expect(model.query?.expanded).toBe("SELECT a.x, 'warehouse.s.t' FROM s.t AS a JOIN s.u ON true");
    expect(model.references.map((each) => [each.relation, each.place.column])).toEqual([
      [{ schema: "s", name: "t" }, 62],
      [{ schema: "s", name: "u" }, 88],
    ]);
  });

  it.each([
    ["a.b", "a.b"],
    ["A.B", "a.b"],
    ['"A"."B"', '"A"."B"'],
    ['shop."größe"', 'shop."größe"'],
    ['"my.schema"."my ""table"""', '"my.schema"."my ""table"""'],
    ['"a/b"."../c"', '"a/b"."../c"'],
    ["my_mv", "my_mv"],
    ["shop.грузы", 'shop."грузы"'],
  ])("reads the name %s", async (name, key) => {
    expect((await aModel(`MODEL (name ${name}); SELECT 1 AS id`)).key).toBe(key);
  });

  it("keeps names apart that differ only in letters outside ASCII (B14)", async () => {
    const project = await aProject({
      models: {
        "models/a.sql": 'MODEL (name shop."größe", kind FULL); SELECT 1 AS a',
        "models/b.sql": 'MODEL (name shop."grüße", kind FULL); SELECT 2 AS a',
      },
    });
    expect(project.models.map((model) => model.key)).toEqual(['shop."größe"', 'shop."grüße"']);
  });

  it("finds a quoted model by its quoted name only (B12)", async () => {
    const project = await aProject({
      models: {
        "models/orders.sql": 'MODEL (name "Sales"."Orders", kind FULL); SELECT 1 AS "Id"',
        "models/top.sql": 'MODEL (name "Sales"."Top"); SELECT "Id" FROM "Sales"."Orders"',
        "models/low.sql": "MODEL (name s.low); SELECT 1 AS a FROM Sales.Orders",
      },
    });
    expect(project.models.map((model) => [model.key, model.references.map((each) => each.model)])).toEqual([
      ['"Sales"."Orders"', []],
      ['"Sales"."Top"', ['"Sales"."Orders"']],
      ["s.low", [null]],
    ]);
  });
});

describe("comments behind columns", () => {
  const described = async (query: string): Promise<unknown> =>
    (await aModel(`MODEL (name s.a);\n${query}`)).metadata.columnDescriptions;

  it.each([
    [
      "SELECT\n  a, -- the a\n  t.b -- the b\n, c AS d /* the d */\nFROM t -- not this",
      { a: "the a", b: "the b", d: "the d" },
    ],
    ["SELECT a -- the a\n, b", { a: "the a" }],
    ["SELECT a, -- the a\n  -- about b\n  b\nFROM t", { a: "the a" }],
    [
      "SELECT f(a, -- inside\n b) AS x, -- the x\n a IS DISTINCT FROM b AS y -- the y\nFROM t",
      { x: "the x", y: "the y" },
    ],
    ["SELECT a::text, -- the a\n count(*) -- no name\nFROM t", { a: "the a" }],
    ["SELECT 'é' AS a, -- the é\n 1 AS b -- last", { a: "the é", b: "last" }],
    ["SELECT 1 AS a -- one\nUNION SELECT 2 AS b -- two", { a: "one" }],
    ["WITH x AS (SELECT 1 AS q -- inner\n) SELECT q FROM x", {}],
    ["TABLE t -- all", {}],
    ["SELECT * -- all\nFROM t", {}],
  ])("%s", async (query, expected) => {
    expect(await described(query)).toEqual(expected);
  });
});
