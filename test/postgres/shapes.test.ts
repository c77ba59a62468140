import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { Shape } from "../../server/core/plan/facts.ts";
import { createShapeReader } from "../../server/engine/postgres/shape-reader.ts";
import type { ShapeQuery, ShapeReader, ShapeRequest } from "../../server/ports/shape-reader.ts";
import { connectionTo } from "./connection.ts";
import { createDatabase, type TestDatabase } from "./database.ts";

type Stub = ShapeRequest["stubs"][number];

function stub(schema: string, name: string, columns: Readonly<Record<string, string>>): Stub {
  return {
    relation: { schema, name },
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type, collation: null })),
  };
}

function query(model: string, text: string | null, changes: Partial<ShapeQuery> = {}): ShapeQuery {
  const [schema = "", name = ""] = model.split(".");
  return { model, relation: { schema, name }, query: text, columns: null, parents: [], ...changes };
}

describe("shapes", () => {
  let database: TestDatabase;
  let reader: ShapeReader;

  beforeAll(async () => {
    database = await createDatabase("shapes");
    reader = createShapeReader({ connect: async () => connectionTo(database) });
  });

  async function read(stubs: readonly Stub[], ...queries: readonly ShapeQuery[]): Promise<readonly Shape[]> {
    const shapes = await reader.readShapes({ stubs, queries });
    return queries.map((each) => {
      const shape = shapes.get(each.model);
      if (shape === undefined) throw new Error(`no shape for ${each.model}`);
      return shape;
    });
  }

  function columns(...pairs: readonly (readonly [string, string])[]): Shape {
    return { ok: true, columns: pairs.map(([name, type]) => ({ name, type, collation: null })) };
  }

  test("are the columns with exact types, through views on views", async () => {
    const shapes = await read(
      [stub("raw", "orders", { id: "integer", total: "numeric(12,2)", note: "character varying(50)" })],
      query("shop.orders", "SELECT *, total * 2 AS twice FROM raw.orders"),
      query("shop.top", "SELECT max(total) AS most, note FROM shop.orders GROUP BY note", { parents: ["shop.orders"] }),
    );
    expect(shapes).toEqual([
      columns(["id", "integer"], ["total", "numeric(12,2)"], ["note", "character varying(50)"], ["twice", "numeric"]),
      columns(["most", "numeric"], ["note", "character varying(50)"]),
    ]);
  });

  test("have a literal as text, and a collation only where it isn't the type's own", async () => {
    const [shape] = await read([], query("a.b", `SELECT 'x' AS literal, 'y'::text COLLATE "C" AS sorted, 1 AS n`));
    expect(shape).toEqual({
      ok: true,
      columns: [
        { name: "literal", type: "text", collation: null },
        { name: "sorted", type: "text", collation: '"C"' },
        { name: "n", type: "integer", collation: null },
      ],
    });
  });

  test("of a query with declared columns are cast to them by name, the others stay", async () => {
    const shapes = await read(
      [],
      query("a.b", "SELECT 1 AS id, 'x' AS name, now() AS seen -- the end", {
        columns: [
          { name: "name", type: "varchar(10)" },
          { name: "id", type: "bigint" },
        ],
      }),
      query("a.c", "SELECT id FROM a.b", { parents: ["a.b"] }),
    );
    expect(shapes).toEqual([
      columns(["id", "bigint"], ["name", "character varying(10)"], ["seen", "timestamp with time zone"]),
      columns(["id", "bigint"]),
    ]);
  });

  test("of declared columns alone are those, as the server spells their types", async () => {
    const declared = [
      { name: "id", type: "int" },
      { name: "at", type: "timestamptz" },
    ];
    expect(await read([], query("a.seed", null, { columns: declared }))).toEqual([
      columns(["id", "integer"], ["at", "timestamp with time zone"]),
    ]);
  });

  test("a declared column that the query doesn't have is the model's fault", async () => {
    const [shape] = await read([], query("a.b", "SELECT 1 AS id", { columns: [{ name: "nope", type: "int" }] }));
    expect(shape).toMatchObject({ ok: false, reason: "model", sqlstate: "42703" });
    expect(shape).toHaveProperty("message", expect.stringContaining('"nope"'));
  });

  test("of one broken model say where it is broken, and the others come out all the same", async () => {
    const text = "SELECT '😀' AS smile, nope FROM raw.orders";
    const [broken, reads, deep, fine] = await read(
      [stub("raw", "orders", { id: "integer" })],
      query("shop.broken", text),
      query("shop.reads", "SELECT smile FROM shop.broken", { parents: ["shop.broken"] }),
      query("shop.deep", "SELECT smile FROM shop.reads", { parents: ["shop.reads"] }),
      query("shop.fine", "SELECT id FROM raw.orders"),
    );
    expect(broken).toMatchObject({ ok: false, reason: "model", sqlstate: "42703", offset: text.indexOf("nope") });
    expect(broken).toHaveProperty("message", 'column "nope" does not exist');
    expect(reads).toEqual({ ok: false, reason: "parent", model: "shop.broken" });
    expect(deep).toEqual({ ok: false, reason: "parent", model: "shop.broken" });
    expect(fine).toEqual(columns(["id", "integer"]));
  });

  test.each([
    ["two columns of one name", "SELECT 1 AS id, 2 AS id", 'column "id" specified more than once'],
    ["two columns without a name", "SELECT 1, 2", 'column "?column?" specified more than once'],
    ["a relation that isn't there", "SELECT 1 AS id FROM raw.nothing", 'relation "raw.nothing" does not exist'],
    ["a syntax error", "SELECT FROM WHERE", 'syntax error at or near "WHERE"'],
    [
      "more than one statement",
      "SELECT 1 AS id; DROP SCHEMA a",
      "cannot insert multiple commands into a prepared statement",
    ],
  ])("%s is the model's fault, in the server's words", async (_what, text, message) => {
    const [shape] = await read([], query("a.b", text));
    expect(shape).toMatchObject({ ok: false, reason: "model", message });
  });

  test.each([
    ["a function", "SELECT st_area('x') AS area", "function st_area(unknown)"],
    ["a type", "SELECT 'x'::geometry AS shape", 'type "geometry"'],
    ["a schema of types", "SELECT 'x'::gis.geometry AS shape", 'schema "gis"'],
    ["an operator", "SELECT '{}'::json @> '{}'::json AS holds", "operator does not exist: json @> json"],
  ])("%s that the shadow lacks is missing, not wrong", async (_what, text, what) => {
    expect(await read([], query("a.b", text))).toEqual([{ ok: false, reason: "missing", what }]);
  });

  describe("over a relation with a column of a type that the shadow doesn't know", () => {
    const places = stub("raw", "places", { id: "integer", shape: "gis.geometry", mood: "raw.mood", name: "text" });

    test("are known for whoever doesn't read that column", async () => {
      const shapes = await read(
        [places],
        query("a.names", "SELECT id, upper(name) AS name FROM raw.places WHERE id > 0"),
        query("a.count", "SELECT count(*) AS n FROM raw.places"),
      );
      expect(shapes).toEqual([columns(["id", "integer"], ["name", "text"]), columns(["n", "bigint"])]);
    });

    test.each([
      ["selects it", "SELECT id, mood FROM raw.places"],
      ["compares it", "SELECT id FROM raw.places WHERE mood = 'happy'"],
      ["selects everything", "SELECT * FROM raw.places"],
      ["joins by it", "SELECT 1 AS one FROM raw.places a JOIN raw.places b USING (mood)"],
      ["uses it in a way that no text can be used", "SELECT mood + 1 AS more FROM raw.places"],
      ["hides it in a function that isn't there", "SELECT st_area(shape) AS area, mood FROM raw.places"],
      ["casts it, declared", "SELECT CAST(mood AS integer[]) AS id FROM raw.places"],
    ])("are missing for whoever %s", async (_what, text) => {
      const [own, child] = await read(
        [places],
        query("a.reader", text),
        query("a.child", "SELECT 1 AS one FROM a.reader", { parents: ["a.reader"] }),
      );
      expect(own).toMatchObject({ ok: false, reason: "missing" });
      expect(own).toHaveProperty("what", expect.stringContaining("raw.places.mood"));
      expect(child).toEqual({ ok: false, reason: "parent", model: "a.reader" });
    });

    test("an ordinary mistake of a reader stays its own", async () => {
      const [shape, other] = await read(
        [places, stub("raw", "orders", { id: "integer" })],
        query("a.b", "SELECT nope FROM raw.orders"),
        query("a.c", "SELECT st_area('x') AS area"),
      );
      expect(shape).toMatchObject({ reason: "model", sqlstate: "42703" });
      expect(other).toEqual({ ok: false, reason: "missing", what: "function st_area(unknown)" });
    });
  });

  test("are read over relations that are there already where stubs of them would stand", async () => {
    const client = new pg.Client(database);
    await client.connect();
    await client.query(
      "CREATE SCHEMA there; CREATE TYPE there.mood AS ENUM ('happy'); CREATE TABLE there.t (mood there.mood)",
    );
    const [shape] = await read([stub("there", "t", { mood: "gone.type" })], query("a.b", "SELECT mood FROM there.t"));
    expect(shape).toEqual(columns(["mood", "there.mood"]));
    await client.query("DROP TABLE there.t; DROP TYPE there.mood; DROP SCHEMA there");
    await client.end();
  });

  test("leave nothing behind, and change nothing that was there", async () => {
    const client = new pg.Client(database);
    await client.connect();
    const list = () =>
      client.query("SELECT count(*) FROM pg_catalog.pg_class UNION ALL SELECT count(*) FROM pg_catalog.pg_namespace");
    const before = (await list()).rows;
    await read(
      [stub("raw", "t", { id: "integer" })],
      query("a.b", "SELECT id FROM raw.t"),
      query("a.c", "SELECT nope"),
    );
    expect((await list()).rows).toEqual(before);
    await client.end();
  });

  test("can be read by several at once, whatever the names", async () => {
    const one = () =>
      read(
        [stub("raw", "t", { id: "integer" })],
        query("b.x", "SELECT id FROM raw.t"),
        query("a.x", "SELECT 1 AS one"),
      );
    const all = await Promise.all([one(), one(), one(), one()]);
    for (const shapes of all) expect(shapes).toEqual([columns(["id", "integer"]), columns(["one", "integer"])]);
  });
});
