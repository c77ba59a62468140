import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lines, plainConfig, settings, source, writeProject } from "./temporary-project.ts";

const edit = (from: string, to: string): string => plainConfig.replace(from, to);

/** What a configuration can be like, and exactly what is said about it. */
const cases: readonly (readonly [what: string, config: string, messages: string])[] = [
  [
    "an empty file",
    "",
    "config.yaml:1:1: There is no gateway. Add gateways: with the connection of a Postgres database.\nconfig.yaml:1:1: model_defaults has no dialect. Add model_defaults: { dialect: postgres }.",
  ],
  ["a list", "- a\n", "config.yaml:1:1: The configuration must be keys and values."],
  ["a tab", "gateways:\n\tpg: 1\n", "config.yaml:2:1: There is a tab in the indentation; YAML takes spaces only."],
  ["a key twice", `${plainConfig}project: a\nproject: b\n`, "config.yaml:13:1: This key is given twice."],
  ["a key twice, deep", edit("user: ann", "user: ann\n      user: bob"), "config.yaml:8:7: This key is given twice."],
  [
    "a bracket that is never closed",
    `${plainConfig}users: [a\n`,
    "config.yaml:13:1: Something that was opened before this is never closed: a quote, a bracket or a colon is missing.",
  ],
  [
    "two documents",
    `${plainConfig}---\nproject: a\n`,
    "config.yaml:12:1: There are several YAML documents in this file; one is expected.",
  ],
  ["no host", edit("      host: localhost\n", ""), "config.yaml:4:7: The connection of the gateway pg has no host."],
  [
    "no password",
    edit("      password: secret\n", ""),
    "config.yaml:4:7: The connection of the gateway pg has no password. It may be empty: password: ''.",
  ],
  ["an empty database", edit("database: wh", "database:"), "config.yaml:9:7: database is empty."],
  ["a wrong port", edit("5432", "http"), "config.yaml:6:7: port must be a whole number from 1 to 65535."],
  ["a port out of range", edit("5432", "70000"), "config.yaml:6:7: port must be a whole number from 1 to 65535."],
  [
    "a wrong sslmode",
    edit("port: 5432", "port: 5432\n      sslmode: on"),
    "config.yaml:7:7: sslmode is one of disable, allow, prefer, require, verify-ca, verify-full.",
  ],
  [
    "several missing keys",
    "gateways: { pg: { connection: { type: postgres } } }\nmodel_defaults: { dialect: postgres }\n",
    ["host", "port", "user", "database"]
      .map((key) => `config.yaml:1:31: The connection of the gateway pg has no ${key}.`)
      .join("\n")
      .concat("\nconfig.yaml:1:31: The connection of the gateway pg has no password. It may be empty: password: ''."),
  ],
  [
    "no connection",
    "gateways: { pg: { scheduler: x } }\nmodel_defaults: { dialect: postgres }\n",
    "config.yaml:1:17: The gateway pg has no connection.",
  ],
  [
    "no type",
    edit("      type: postgres\n", ""),
    "config.yaml:4:7: The connection of the gateway pg has no type. Add type: postgres.",
  ],
  [
    "RisingWave",
    edit("type: postgres", "type: risingwave"),
    "config.yaml:4:7: RisingWave isn't supported yet, only postgres. Choose another gateway with --gateway.",
  ],
  [
    "another engine",
    edit("type: postgres", "type: duckdb"),
    "config.yaml:4:7: The connection type duckdb isn't supported yet, only postgres. Choose another gateway with --gateway.",
  ],
  [
    "an unknown default gateway",
    `default_gateway: gp\n${plainConfig}`,
    "config.yaml:1:1: There is no gateway gp. Did you mean pg? Gateways are: pg.",
  ],
  [
    "no dialect",
    edit("  dialect: postgres", "  owner: x"),
    "config.yaml:11:3: model_defaults has no dialect. Add model_defaults: { dialect: postgres }.",
  ],
  [
    "an unknown default",
    `${plainConfig}  ownr: x\n`,
    "config.yaml:12:3: model_defaults has no key ownr. Did you mean owner?",
  ],
  [
    "an unknown default kind",
    `${plainConfig}  kind: VEIW\n`,
    "config.yaml:12:3: There is no kind VEIW. Did you mean VIEW?",
  ],
  [
    "default statements",
    `${plainConfig}  pre_statements: [SET x = 1]\n`,
    "config.yaml:12:3: model_defaults.pre_statements isn't supported yet. Put it into the models.",
  ],
  [
    "before_all",
    `${plainConfig}before_all: [CREATE EXTENSION x]\n`,
    "config.yaml:12:1: before_all isn't supported yet. Run these statements yourself, and take them out.",
  ],
  ["an empty before_all", `${plainConfig}before_all: []\n`, "-"],
  [
    "dev_only",
    `${plainConfig}virtual_environment_mode: dev_only\n`,
    "config.yaml:12:1: Only virtual_environment_mode: full is supported yet.",
  ],
  [
    "suffix catalog",
    `${plainConfig}environment_suffix_target: catalog\n`,
    "config.yaml:12:1: environment_suffix_target: catalog isn't supported: Postgres can't read across databases. Use schema or table.",
  ],
  [
    "forward_only plans",
    `${plainConfig}plan: { forward_only: true }\n`,
    "config.yaml:12:9: plan.forward_only isn't supported yet. Take it out.",
  ],
  [
    "a wrong pattern",
    `${plainConfig}physical_schema_mapping: { '(': x }\n`,
    "config.yaml:12:28: ( isn't a valid pattern.",
  ],
  [
    "a wrong naming convention",
    `${plainConfig}physical_table_naming_convention: md5\n`,
    "config.yaml:12:1: physical_table_naming_convention is one of schema_and_table, table_only, hash_md5.",
  ],
  [
    "a wrong shadow",
    `${plainConfig}shadow: cloud\n`,
    "config.yaml:12:1: shadow is embedded, warehouse, or the url of a scratch database: shadow: { url: postgres://… }.",
  ],
  [
    "text where keys belong",
    "gateways: pg\nmodel_defaults: { dialect: postgres }\n",
    "config.yaml:1:1: gateways must hold keys and values.\nconfig.yaml:1:1: There is no gateway. Add gateways: with the connection of a Postgres database.",
  ],
  [
    "a variable that isn't set",
    `\n${edit("secret", "{{ env_var('PW') }}")}`,
    "config.yaml:9: The environment variable PW isn't set, and env_var has no default for it.",
  ],
  [
    "a broken template",
    `${plainConfig}project: {{ env_var( }}\n`,
    "config.yaml:12: This template can't be read. Known is {{ env_var('NAME', 'default') }}.",
  ],
];

describe("what is said about a configuration", () => {
  it.each(cases)("%s", async (_what, config, expected) => {
    expect(lines(await settings(config))).toBe(expected);
  });

  it.each(cases)("never shows a password, broken or not: %s", async (_what, config) => {
    for (const secret of [
      "*hunter2",
      "!hunter2",
      "'hunter2",
      "hunter2: x",
      "[hunter2",
      "&hunter2 x",
      "@hunter2",
      "%hunter2",
      "hunter2\n\tx: y",
    ]) {
      const result = await settings(config.replace("secret", secret));
      expect(JSON.stringify(result.ok ? result.value.warnings : result.problems)).not.toContain("hunter2");
    }
  });

  it("names what is in an override by its variable", async () => {
    expect(lines(await settings(plainConfig, { SQLMESH__GATEWAYS__PG__CONNECTION__SSLMODE: "x" }))).toBe(
      "environment variable SQLMESH__GATEWAYS__PG__CONNECTION__SSLMODE: sslmode is one of disable, allow, prefer, require, verify-ca, verify-full.",
    );
  });

  it("names the gateways there are when another is asked for", async () => {
    expect(lines(await settings(plainConfig, {}, "prod"))).toBe(
      "config.yaml:1:1: There is no gateway prod. Gateways are: pg.",
    );
  });

  it("tells a missing folder, a missing configuration, several of them, one in Python, and dbt", async () => {
    const projects = await source();
    const at = async (folder: string): Promise<string> =>
      lines(await projects.readSettings({ folder, gateway: null, dotenv: null }));
    const empty = await writeProject({});
    expect(await at(join(empty, "none"))).toBe(
      `There is no folder ${join(empty, "none")}. Give the project's folder with --path.`,
    );
    expect(await at(empty)).toBe(
      `No config.yaml in ${empty}. Run "weir init" to make a project, or give its folder with --path.`,
    );
    expect(await at(await writeProject({ "config.yaml": plainConfig, "config.yml": plainConfig }))).toBe(
      "config.yml: There are several configurations in one folder: config.yaml, config.yml. Keep one of them.",
    );
    expect(await at(await writeProject({ "config.py": "" }))).toBe(
      "config.py: config.py isn't read: nothing of a project is executed while loading it. Write a config.yaml.",
    );
    expect(await at(await writeProject({ "dbt_project.yml": "" }))).toBe(
      "dbt_project.yml: A dbt project isn't supported yet. Weir reads SQLMesh's format.",
    );
    await mkdir(join(empty, "config.yaml"));
    expect(await at(empty)).toBe("config.yaml: The file can't be read: it is a folder.");
  });

  it("tells other encodings than UTF-8", async () => {
    const utf16 = Buffer.from(`\ufeff${plainConfig}`, "utf16le");
    const latin = Buffer.from(`# é\n${plainConfig}`, "latin1");
    const at = async (config: Uint8Array): Promise<string> =>
      lines(
        await (await source()).readSettings({
          folder: await writeProject({ "config.yaml": config }),
          gateway: null,
          dotenv: null,
        }),
      );
    expect(await at(utf16)).toBe("config.yaml:1: The file can't be read: it isn't valid UTF-8.");
    expect(await at(latin)).toBe("config.yaml:1: The file can't be read: it isn't valid UTF-8.");
  });
});
