import { describe, expect, it } from "vitest";
import { faults, loaded } from "./temporary-project.ts";

const view = (name: string, query: string): string => `MODEL (name ${name}, kind VIEW);\n${query}`;

describe("external models", () => {
  it("keeps letter case of columns as written, quoted or not (B08)", async () => {
    const text =
      '- name: raw.m\n  columns:\n    ID: varchar\n    \'"Name"\': text\n    low: int\n  description: theirs\n- name: \'"Raw"."T"\'\n';
    const { project } = await loaded({
      "external_models/m.yaml": text,
      "models/a.sql": view("s.a", 'SELECT "ID", low FROM raw.m'),
    });
    expect(project.models.find((model) => model.key === "raw.m")).toMatchObject({
      kind: { kind: "external" },
      path: "external_models/m.yaml",
      columns: [
        { name: "ID", type: "varchar" },
        { name: "Name", type: "text" },
        { name: "low", type: "int" },
      ],
      metadata: { description: "theirs" },
    });
    expect(project.dag.parents.get("s.a")).toEqual(["raw.m"]);
    expect(project.dag.keys).toContain('"Raw"."T"');
  });

  it("prefers an entry of the chosen gateway, and skips those of others", async () => {
    const text =
      "- { name: raw.t, columns: { a: int } }\n- { name: raw.t, gateway: PG, columns: { b: int } }\n- { name: raw.t, gateway: other, columns: { c: int } }\n";
    const { project } = await loaded({ "external_models.yaml": text });
    expect(project.models.map((model) => model.columns)).toEqual([[{ name: "b", type: "int" }]]);
  });

  it.each([
    ["name: raw.t\n", "external_models.yaml:1:1: External models are a list: - name: schema.table."],
    ["- raw.t\n", "external_models.yaml:1:3: An external model is keys and values: name: schema.table."],
    [
      "- name: raw t\n",
      'external_models.yaml:1:3: raw t can\'t be read as a name. Quote its parts where they hold more than letters: "My"."Table".',
    ],
    ["- name: other.raw.t\n", "external_models.yaml:1:3: other.raw.t is in another database than this gateway's, wh."],
    [
      "- name: raw.t\n- name: RAW.T\n",
      "external_models.yaml:2:3: The model raw.t is already defined in external_models.yaml:1:3. Rename one of them.",
    ],
    [
      "- name: s.a\n",
      "external_models.yaml:1:3: The model s.a is already defined in models/a.sql. Rename one of them.",
    ],
    ["- name: raw.t\n  columns: { a: }\n", "external_models.yaml:2:14: The column a has no type."],
    ["- name: raw.t\n\tx: 1\n", "external_models.yaml:2:2: There is a tab in the indentation; YAML takes spaces only."],
    ["", "-"],
  ])("%s", async (text, message) => {
    expect(await faults({ "external_models.yaml": text, "models/a.sql": view("s.a", "SELECT 1 AS x") })).toBe(message);
  });
});

describe("seeds", () => {
  const model = (rest: string): string => `MODEL (name shop.region, kind SEED (path ${rest});`;

  it("reads a spreadsheet's file as it was meant (B01)", async () => {
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("id,name\r\n1,North\r\n2,South\r\n")]);
    const text = model("'../seeds/region.csv'), columns (id INT, name TEXT)");
    const one = await loaded({ "models/region.sql": text, "seeds/region.csv": bytes });
    const [region] = one.project.models;
    expect(region).toMatchObject({
      kind: { kind: "seed", seed: { path: "seeds/region.csv", columns: ["id", "name"], rows: 2 } },
      query: null,
    });
    const content = region?.kind.kind === "seed" ? region.kind.seed.content : "";
    expect(one.seeds.get(content)).toEqual({
      columns: ["id", "name"],
      rows: [
        ["1", "North"],
        ["2", "South"],
      ],
    });
    const other = await loaded({ "models/region.sql": text, "seeds/region.csv": "id,name\n1,North\n2,South\n" });
    expect(other.project.models).toEqual(one.project.models);
  });

  it.each([["'$root/seeds/r.csv'"], ["'../seeds/r.csv'"], ["'..\\seeds\\r.csv'"]])(
    "finds the file at %s",
    async (path) => {
      const { project } = await loaded({ "models/region.sql": model(`${path})`), "seeds/r.csv": "id\n1\n" });
      expect(project.models[0]?.columns).toEqual([{ name: "id", type: "bigint" }]);
    },
  );

  it("reads other encodings and dialects where csv_settings say so", async () => {
    const csv = Buffer.from("id;name\n1;'Müller; Söhne'\n", "latin1");
    const rest = "'../seeds/r.csv', csv_settings (delimiter = ';', quotechar = '''', encoding = 'latin1'))";
    const { seeds } = await loaded({ "models/region.sql": model(rest), "seeds/r.csv": csv });
    expect([...seeds.values()]).toEqual([{ columns: ["id", "name"], rows: [["1", "Müller; Söhne"]] }]);
  });

  it.each<readonly [string, string, string]>([
    [
      "'../seeds/r.csv')",
      "id,name\n1,North,\n2,South,x\n",
      "seeds/r.csv:2: 3 values, 2 columns.\nseeds/r.csv:3: 3 values, 2 columns.",
    ],
    [
      "'../seeds/r.csv'), columns (id INT, ok BOOLEAN)",
      "id,ok\n1,maybe\n",
      'seeds/r.csv:2: "maybe" isn\'t true or false in column ok.',
    ],
    ["'../seeds/r.csv')", 'id\n"1\n', "seeds/r.csv:2: A quote is opened here and never closed."],
    ["'../seeds/r.csv')", "", "seeds/r.csv:1: The seed is empty: its first line must name the columns."],
    ["'../../r.csv')", "id\n1\n", "models/region.sql:1:42: The seed's file ../../r.csv lies outside the project."],
    ["'/etc/passwd')", "id\n1\n", "models/region.sql:1:42: The seed's file /etc/passwd lies outside the project."],
    ["'../seeds')", "id\n1\n", "models/region.sql:1:42: The seed's file seeds can't be read: it is a folder."],
    [
      "'../seeds/r.csv', csv_settings (encoding = 'klingon'))",
      "id\n1\n",
      "seeds/r.csv: The file can't be read: the encoding klingon isn't known.",
    ],
  ])("%s", async (rest, csv, message) => {
    expect(await faults({ "models/region.sql": model(rest), "seeds/r.csv": csv })).toBe(message);
  });
});
