import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { faults, lines, load, loaded, plainConfig, source, writeProject } from "./temporary-project.ts";

const view = (name: string, query: string): string => `MODEL (name ${name}, kind VIEW);\n${query}`;
const asRoot = process.getuid?.() === 0;

describe("loading a project", () => {
  it("reads every model below models/, and nothing else", async () => {
    const { project, settings } = await loaded({
      "models/a.sql": view("s.a", "SELECT 1 AS x"),
      "models/deep/er/b.sql": view("s.b", "SELECT x FROM s.a"),
      "models/readme.md": "# no model",
      "models/__init__.py": "",
      "models/empty.sql": "-- to do\n",
      "audits/c.sql": "AUDIT (name c); SELECT 1",
      "macros/d.py": "print('never run')",
      "c.sql": "no model",
    });
    expect(project.models.map((model) => [model.key, model.path])).toEqual([
      ["s.a", "models/a.sql"],
      ["s.b", "models/deep/er/b.sql"],
    ]);
    expect(project).toMatchObject({ name: "", gateway: "pg", warnings: [], naming: settings.naming });
  });

  it("gives the same project whatever order files were written in, and another source hash for another text", async () => {
    const files = { "models/a.sql": view("s.a", "SELECT 1 AS x"), "models/b.sql": view("s.b", "SELECT x FROM s.a") };
    const one = await loaded(files);
    const other = await loaded(Object.fromEntries(Object.entries(files).reverse()));
    expect(other.project).toEqual(one.project);
    const changed = await loaded({ ...files, "models/b.sql": view("s.b", "SELECT x, 2 AS y FROM s.a") });
    expect(changed.project.source).not.toBe(one.project.source);
  });

  it("reads byte order marks, CRLF and every letter, whatever the locale says (B11)", async () => {
    const text =
      '-- prix en EUR (é, 和, ⚠️)\nMODEL (name s.a, kind FULL);\nSELECT \'Łódź 和\' AS "größe" -- ⚠️\nFROM "Käufe"\n';
    const { project } = await loaded(
      { "models/a.sql": `\ufeff${text.replaceAll("\n", "\r\n")}` },
      { LC_ALL: "C", PGCLIENTENCODING: "LATIN1" },
    );
    const [model] = project.models;
    expect(model).toMatchObject({
      metadata: { description: "prix en EUR (é, 和, ⚠️)", columnDescriptions: { größe: "⚠️" } },
      references: [{ relation: { name: "Käufe" }, place: { line: 4, column: 6 } }],
    });
    expect(model?.text.startsWith("--")).toBe(true);
    expect(model?.query?.expanded).toContain("Łódź 和");
  });

  it("keeps a name that no model answers to as a reference, with its place (B19)", async () => {
    const { project } = await loaded({
      "models/full.sql": "MODEL (name shop.full, kind FULL);\n\nSELECT id FROM shop.inc",
    });
    expect(project.models[0]?.references).toEqual([
      {
        relation: { schema: "shop", name: "inc" },
        model: null,
        place: { path: "models/full.sql", line: 3, column: 16 },
        star: false,
      },
    ]);
  });

  it("says every fault of every file at once, in order, and checks the rest", async () => {
    expect(
      await faults({
        "models/b.sql": view("s.b", "SELECT FROM FROM"),
        "models/a.sql": "MODEL (name s.a, kind SCD_TYPE_2 (unique_key id)); SELECT 1",
        "models/c.py": "@model('s.c')",
        "models/d.sql": view("s.d", "SELECT @start_ds"),
        "models/e.sql": "MODEL (name s.e, kind SEED (path '../seeds/none.csv'))",
        "models/f.sql": view("s.f", "SELECT 1 FROM s.g"),
        "models/g.sql": view("s.g", "SELECT 1 FROM s.f"),
        "external_models.yaml": "- nam: raw.t\n",
      }),
    ).toBe(
      [
        "external_models.yaml:1:3: This external model has no name.",
        "models/a.sql:1:23: The kind SCD_TYPE_2 isn't supported yet. Kinds that are: VIEW, FULL, SEED, EMBEDDED, INCREMENTAL_BY_PARTITION.",
        'models/b.sql:2:13: Syntax error at or near "FROM".',
        "models/c.py: A Python model isn't supported yet. Write it in SQL, or add its path to ignore_patterns.",
        "models/d.sql:2:8: The macro @start_ds isn't supported yet. Write out what it stands for.",
        "models/e.sql:1:34: The seed's file seeds/none.csv can't be read: there is no such file.",
        "models/f.sql:2:15: Models read each other in a circle: s.f -> s.g -> s.f. Break it at one of them.",
      ].join("\n"),
    );
  });

  it("leaves out what ignore_patterns names", async () => {
    const config = `${plainConfig}ignore_patterns: ['*.py', 'drafts/*', 'models/old/**']\n`;
    const { project } = await loaded({
      "config.yaml": config,
      "models/a.sql": view("s.a", "SELECT 1 AS x"),
      "models/x.py": "",
      "models/drafts/b.sql": "no model",
      "models/old/very/c.sql": "no model",
    });
    expect(project.models.map((model) => model.key)).toEqual(["s.a"]);
  });

  it("warns of a project without models", async () => {
    expect((await loaded({})).project.warnings).toEqual(["models: There are no model files in this project."]);
  });

  it("needs no model to read settings", async () => {
    const folder = await writeProject({ "config.yaml": plainConfig, "models/a.sql": "broken" });
    expect((await (await source()).readSettings({ folder, gateway: null, dotenv: null })).ok).toBe(true);
  });

  it("takes names of every sort, for models and for files", async () => {
    const { project } = await loaded({
      'models/a b "c"/é;和.sql': view('"my.schema"."a/b ""c"" é"', "SELECT 1 AS x"),
      [`models/${"n".repeat(240)}.sql`]: view(`s.${"n".repeat(63)}`, 'SELECT x FROM "my.schema"."a/b ""c"" é"'),
    });
    expect(project.dag.parents.get(`s.${"n".repeat(63)}`)).toEqual(['"my.schema"."a/b ""c"" é"']);
  });
});

describe("files that can't be read", () => {
  it.each<readonly [string, string | Uint8Array, string]>([
    ["UTF-16", Buffer.from("\ufeffMODEL", "utf16le"), "models/a.sql:1: The file can't be read: it isn't valid UTF-8."],
    [
      "Latin-1",
      Buffer.from("MODEL (name s.a);\nSELECT 'é'", "latin1"),
      "models/a.sql:2: The file can't be read: it isn't valid UTF-8.",
    ],
    [
      "NUL",
      "MODEL (name s.a);\nSELECT '\0'",
      "models/a.sql:2: The file can't be read: it holds NUL characters, as UTF-16 and binary files do.",
    ],
    [
      "ten megabytes",
      `MODEL (name s.a);\nSELECT '${"x".repeat(10_000_000)}'`,
      "models/a.sql: The file can't be read: it has 10.0 MB, and at most 5.0 MB are read.",
    ],
    [
      "a million tokens",
      `MODEL (name s.a);\nSELECT ${"1,".repeat(500_000)}1`,
      "models/a.sql:2:1: This is too long to be read: more than 250000 words and signs.",
    ],
    [
      "a thousand levels",
      `MODEL (name s.a);\nSELECT ${"(SELECT ".repeat(1_000)}1${")".repeat(1_000)}`,
      "models/a.sql:2:1: This is nested too deeply to be read: more than about 500 levels. Break it into several models or common table expressions.",
    ],
  ])("%s", async (_what, content, message) => {
    expect(await faults({ "models/a.sql": content, "models/b.sql": view("s.b", "SELECT 1 AS x") })).toBe(message);
  });

  it("names links to nowhere, follows others, and isn't caught in circles", async () => {
    const folder = await writeProject({
      "config.yaml": plainConfig,
      "models/a.sql": view("s.a", "SELECT 1 AS x"),
      "elsewhere/b.sql": view("s.b", "SELECT 1 AS x"),
    });
    await symlink(join(folder, "elsewhere"), join(folder, "models/linked"));
    await symlink(folder, join(folder, "models/round"));
    await symlink(join(folder, "models"), join(folder, "elsewhere/back"));
    await mkdir(join(folder, "models/folder.sql"));
    const projects = await source();
    const result = await projects.load({ folder, gateway: null, dotenv: null });
    expect(result.ok && result.value.project.models.map((model) => model.key)).toEqual(["s.a", "s.b"]);
    await symlink(join(folder, "gone.sql"), join(folder, "models/lost.sql"));
    expect(lines(await projects.load({ folder, gateway: null, dotenv: null }))).toBe(
      "models/lost.sql: The file can't be read: there is no such file.",
    );
  });

  it.skipIf(asRoot)("names files and folders without permission", async () => {
    const folder = await writeProject({ "config.yaml": plainConfig, "models/a.sql": "x", "models/deep/b.sql": "x" });
    await chmod(join(folder, "models/a.sql"), 0o000);
    await chmod(join(folder, "models/deep"), 0o000);
    const result = await (await source()).load({ folder, gateway: null, dotenv: null });
    await chmod(join(folder, "models/deep"), 0o700);
    expect(lines(result)).toBe(
      "models/a.sql: The file can't be read: permission denied.\nmodels/deep: The file can't be read: permission denied.",
    );
  });
});

describe("projects as SQLMesh has them", () => {
  const config = `gateways:
  pg:
    connection:
      type: postgres
      host: 127.0.0.1
      port: {{ env_var('PGPORT', '5432') }}
      user: {{ env_var('PGUSER', 'postgres') }}
      password: {{ env_var('PGPASSWORD', '') }}
      database: {{ env_var('PGDATABASE', 'postgres') }}

default_gateway: pg

model_defaults:
  dialect: postgres
  start: 2024-01-01
`;

  it("load without a word: views over a table, and a table by partition", async () => {
    const { project, settings } = await loaded(
      {
        "config.yaml": config,
        "models/raw_items.sql":
          "MODEL (\n  name repro.raw_items,\n  kind FULL,\n);\n\nSELECT 1 AS id, 'alpha' AS name, FALSE AS __is_deleted\nUNION ALL\nSELECT 2 AS id, 'beta' AS name, TRUE AS __is_deleted\n",
        "models/stg_items_base.sql":
          "MODEL (\n  name repro.stg_items_base,\n  kind VIEW,\n);\n\nSELECT id, name, __is_deleted\nFROM repro.raw_items\n",
        "models/audit_items.sql":
          "MODEL (\n  name repro.audit_items,\n  kind INCREMENTAL_BY_PARTITION,\n  partitioned_by id,\n);\n\nSELECT id, name, __is_deleted\nFROM repro.stg_items_base\n",
      },
      { PGPORT: "5433" },
    );
    expect(project.dag.parents.get("repro.audit_items")).toEqual(["repro.stg_items_base"]);
    expect(
      project.models.map((model) => [model.key, model.kind.kind, model.partitionedBy.join(), model.metadata.start]),
    ).toEqual([
      ["repro.audit_items", "incremental_by_partition", "id", "2024-01-01"],
      ["repro.raw_items", "full", "", "2024-01-01"],
      ["repro.stg_items_base", "view", "", "2024-01-01"],
    ]);
    expect(project.warnings).toEqual([]);
    expect(settings.gateway.connection).toMatchObject({ port: 5433, password: "", database: "postgres" });
  });

  it("load without a word: a materialized view without a schema", async () => {
    const { project } = await loaded({
      "config.yaml": config,
      "models/my_mv.sql": "MODEL (\n  name my_mv,\n  kind VIEW (materialized true),\n);\n\nSELECT 1 AS my_column\n",
    });
    expect(project.models).toMatchObject([
      { key: "my_mv", name: { schema: null, name: "my_mv" }, kind: { kind: "materialized_view" } },
    ]);
    expect(project.warnings).toEqual([]);
  });

  it("load without a word: the shop of the demonstration", async () => {
    const folder = join(import.meta.dirname, "../../examples/shop");
    const result = await (await source()).load({ folder, gateway: null, dotenv: null });
    if (!result.ok) throw new Error(lines(result));
    expect(result.value.project.models.length).toBeGreaterThan(10);
    expect(result.value.project.warnings).toEqual([]);
  });
});

describe("the cache", () => {
  const models = { "models/keep.sql": view("app.keep", "SELECT 1 AS id") };

  it("is a folder of its own, also where a folder is configured", async () => {
    const folderOf = async (line: string, environment: Readonly<Record<string, string>> = {}): Promise<string> => {
      const folder = await writeProject({ "config.yaml": `${plainConfig}${line}` });
      const result = await (await source(environment)).readSettings({ folder, gateway: null, dotenv: null });
      return result.ok ? result.value.cacheFolder.replace(folder, "P") : lines(result);
    };
    expect(await folderOf("")).toBe("P/.cache/weir");
    expect(await folderOf("cache_dir: tmp/c\n")).toBe("P/tmp/c/weir");
    expect(await folderOf("cache_dir: /\n")).toBe("/weir");
    expect(await folderOf("cache_dir: x\n", { WEIR_CACHE_DIR: "y/weir" })).toBe("P/y/weir");
  });

  it("is found with a broken configuration, and where there is none", async () => {
    const broken = await writeProject({ "config.yaml": "cache_dir: 'c' # here\ngateways: [\n" });
    const empty = await writeProject({});
    const projects = await source();
    expect(await projects.findCacheFolder({ folder: broken, gateway: "none", dotenv: "/none" })).toBe(
      join(broken, "c/weir"),
    );
    expect(await projects.findCacheFolder({ folder: empty, gateway: null, dotenv: null })).toBe(
      join(empty, ".cache/weir"),
    );
    expect(await projects.findCacheFolder({ folder: join(empty, "no"), gateway: null, dotenv: null })).toBe(
      join(empty, "no/.cache/weir"),
    );
  });

  it("can hold anything without stopping a load", async () => {
    const junk = {
      ".cache/weir/garbage": "\0\xff",
      ".cache/weir/empty": "",
      ".cache/weir/model.json/b": "1",
      [`.cache/weir/${"é".repeat(120)}`]: "",
    };
    const folder = await writeProject({ "config.yaml": plainConfig, ...models, ...junk });
    await symlink("/nowhere", join(folder, ".cache/weir/link"));
    await chmod(join(folder, ".cache/weir/garbage"), 0o000);
    const result = await (await source()).load({ folder, gateway: null, dotenv: null });
    expect(lines(result)).toBe("-");
  });

  it("may be a file, or be written and removed by others all the while", async () => {
    const folder = await writeProject({ "config.yaml": plainConfig, ...models, ".cache": "a file" });
    const projects = await source();
    const request = { folder, gateway: null, dotenv: null };
    expect(lines(await projects.load(request))).toBe("-");
    const disturb = async (): Promise<void> => {
      for (let at = 0; at < 30; at += 1) {
        await rm(join(folder, ".cache"), { recursive: true, force: true }).catch(() => undefined);
        await mkdir(join(folder, ".cache/weir"), { recursive: true }).catch(() => undefined);
        await writeFile(join(folder, ".cache/weir/x"), "x").catch(() => undefined);
      }
    };
    const [, ...results] = await Promise.all([disturb(), ...Array.from({ length: 12 }, () => projects.load(request))]);
    expect(results.map(lines)).toEqual(Array.from({ length: 12 }, () => "-"));
  });
});

describe("a large project", () => {
  it("of two thousand models loads whole", async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 2_000; at += 1) {
      const parents = [at - 1, at - 7, at - 50].filter((each) => each >= 0);
      const from = parents
        .map((each, index) => (index === 0 ? `big.m${each} t0` : `JOIN big.m${each} t${index} ON t${index}.id = t0.id`))
        .join(" ");
      files[`models/m${at}.sql`] = view(
        `big.m${at}`,
        parents.length === 0
          ? "SELECT 1 AS id"
          : `SELECT t0.id, -- the id\n  count(*) AS n FROM ${from} GROUP BY t0.id`,
      );
    }
    const folder = await writeProject({ "config.yaml": plainConfig, ...files });
    const projects = await source();
    const result = await projects.load({ folder, gateway: null, dotenv: null });
    expect(result.ok && result.value.project.models.length).toBe(2_000);
  }, 60_000);

  it("in a circle of three hundred says the whole circle once", async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 300; at += 1)
      files[`models/m${at}.sql`] = view(`s.m${at}`, `SELECT 1 AS x FROM s.m${(at + 1) % 300}`);
    const result = await load(files);
    expect(result.ok ? [] : result.problems.map((each) => each.code)).toEqual(["dag_cycle"]);
  });
});
