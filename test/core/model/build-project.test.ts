import { beforeAll, describe, expect, it } from "vitest";
import { problemLine } from "../../../server/core/base/problem-sentence.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { aProject, type ProjectText, readProjectText } from "../../builders/model.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

function faults(text: ProjectText): readonly string[] {
  const project = readProjectText(parser, text);
  return project.ok ? [] : project.problems.map(problemLine);
}

const view = (name: string, query: string): string => `MODEL (name ${name}, kind VIEW);\n\n${query}`;

describe("putting a project together", () => {
  it("looks up what each model reads, and keeps other names as references to relations outside", async () => {
    const project = await aProject({
      models: {
        "models/b.sql": view(
          "shop.b",
          'SELECT a.id FROM shop.a AS a JOIN raw.orders USING (id) JOIN "Sales"."Top" USING (id)',
        ),
        "models/a.sql": view("shop.a", "SELECT 1 AS id"),
        "models/top.sql": view('"Sales"."Top"', "SELECT 1 AS id"),
      },
    });
    expect(project.models.map((model) => model.key)).toEqual(['"Sales"."Top"', "shop.a", "shop.b"]);
    const reads = project.models.find((model) => model.key === "shop.b")?.references;
    expect(reads?.map((each) => [each.model, each.place.line, each.place.column])).toEqual([
      ["shop.a", 3, 18],
      [null, 3, 35],
      ['"Sales"."Top"', 3, 62],
    ]);
    expect(project.dag.parents.get("shop.b")).toEqual(['"Sales"."Top"', "shop.a"]);
  });

  it("doesn't depend on the order of files", async () => {
    const models = { "models/a.sql": view("s.a", "SELECT 1 AS x"), "models/b.sql": view("s.b", "SELECT x FROM s.a") };
    const one = await aProject({ models });
    const other = await aProject({ models: Object.fromEntries(Object.entries(models).reverse()) });
    expect({ ...other, source: "" }).toEqual({ ...one, source: "" });
  });

  it("names a loop in order and nothing beside it (B17)", () => {
    const models: Record<string, string> = {
      "models/a.sql": view("shop.a", "SELECT x FROM shop.b"),
      "models/b.sql": view("shop.b", "SELECT x FROM shop.c"),
      "models/c.sql": view("shop.c", "SELECT x FROM shop.a"),
      "models/d.sql": view("shop.d", "SELECT x FROM shop.a"),
    };
    for (let at = 0; at < 50; at += 1) models[`models/u${at}.sql`] = view(`shop.u${at}`, "SELECT 1 AS x");
    expect(faults({ models })).toEqual([
      "models/a.sql:3:15: Models read each other in a circle: shop.a -> shop.b -> shop.c -> shop.a. Break it at one of them.",
    ]);
  });

  it("refuses a model that reads itself, by name or as this model, in the words of its kind", () => {
    const table = (query: string): ProjectText => ({ models: { "a.sql": `MODEL (name s.a, kind FULL);\n${query}` } });
    const refusal = "A model that reads itself (s.a) isn't supported yet. Take the reference out.";
    expect(faults(table("SELECT x FROM s.a"))).toEqual([`a.sql:2:15: ${refusal}`]);
    expect(faults(table("SELECT x FROM @this_model"))).toEqual([`a.sql:2:15: ${refusal}`]);
    expect(faults({ models: { "a.sql": view("s.a", "SELECT x FROM s.a") } })).toEqual([
      "a.sql:3:15: Models read each other in a circle: s.a -> s.a. Break it at one of them.",
    ]);
  });

  it("refuses a second model of the same name, naming the first", () => {
    expect(
      faults({
        models: { "models/b.sql": view("S.X", "SELECT 2 AS a"), "models/a.sql": view("s.x", "SELECT 1 AS a") },
      }),
    ).toEqual(["models/b.sql:1:13: The model s.x is already defined in models/a.sql. Rename one of them."]);
  });

  it("reports the faults of all files together", () => {
    const found = faults({
      models: { "models/a.sql": view("s.a", "SELECT FROM FROM"), "models/b.sql": view("s.b", "SELECT 1; SELECT 2") },
    });
    expect(found).toEqual([
      'models/a.sql:3:13: Syntax error at or near "FROM".',
      "models/b.sql:3:11: A model has one query; this is a second one. Give it a file of its own.",
    ]);
  });

  it("lets a declared external model answer to its name", async () => {
    const project = await aProject({
      models: { "models/a.sql": view("s.a", "SELECT * FROM raw.t") },
      externals: [{ schema: "raw", name: "t", columns: [{ name: "ID", type: "text" }] }],
    });
    expect(project.models.find((model) => model.key === "s.a")?.references).toMatchObject([
      { model: "raw.t", star: true },
    ]);
    expect(project.dag.keys).toEqual(["raw.t", "s.a"]);
  });
});
