import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProjectSettings } from "../../server/ports/project-source.ts";
import { lines, plainConfig, settings, source, writeProject } from "./temporary-project.ts";

async function read(
  config: string,
  environment: Readonly<Record<string, string>> = {},
  gateway: string | null = null,
): Promise<ProjectSettings> {
  const result = await settings(config, environment, gateway);
  if (!result.ok) throw new Error(lines(result));
  return result.value;
}

const two = `default_gateway: PG
gateways:
  other: { connection: { type: snowflake } }
  pg: { connection: { type: postgres, host: a, port: 1, user: u, password: '', database: d, role: r, sslmode: require, connect_timeout: 3, application_name: x }, state_schema: st }
  second:
    connection: { type: postgres, host: b, port: 2, user: u, password: p, database: d }
    state_connection: { type: postgres, host: s, port: 3, user: u, password: p, database: d }
    shadow: { url: 'postgres://s/x' }
model_defaults: { dialect: postgres }
`;

describe("the configuration", () => {
  it("takes the gateway that is asked for, else the default, and leaves the others alone", async () => {
    expect((await read(two)).gateway).toEqual({
      name: "pg",
      connection: {
        type: "postgres",
        host: "a",
        port: 1,
        user: "u",
        password: "",
        database: "d",
        role: "r",
        sslmode: "require",
        connectTimeoutSeconds: 3,
        applicationName: "x",
      },
      stateConnection: null,
      stateSchema: "st",
      shadow: { kind: "embedded" },
    });
    expect((await read(two, {}, "SECOND")).gateway).toMatchObject({
      name: "second",
      connection: { host: "b", connectTimeoutSeconds: 10, role: null },
      stateConnection: { host: "s" },
      shadow: { kind: "scratch", url: "postgres://s/x" },
    });
  });

  it("takes the first gateway where none is named, a single gateway, and a default connection", async () => {
    const connection = "{ type: postgres, host: a, port: 1, user: u, password: p, database: d }";
    const rest = "\nmodel_defaults: { dialect: postgres }\n";
    expect((await read(plainConfig)).gateway.name).toBe("pg");
    expect((await read(`gateway: { connection: ${connection} }${rest}`)).gateway.connection.host).toBe("a");
    expect((await read(`gateways: { connection: ${connection} }${rest}`)).gateway.connection.host).toBe("a");
    expect((await read(`default_connection: ${connection}${rest}`)).gateway.connection.host).toBe("a");
    expect((await read(`gateways: { x: {} }\ndefault_connection: ${connection}${rest}`)).gateway.name).toBe("x");
  });

  it("fills in variables, whatever is in them", async () => {
    const config = plainConfig
      .replace("password: secret", "password: {{ env_var('PW') }}")
      .replace("port: 5432", "port: {{ env_var('PORT', '6543') }}")
      .replace("host: localhost", "host: db-{{ env_var('REGION') }}.{{ env_var('DOMAIN', 'local') }}");
    for (const password of [
      "plain",
      "a: b # c",
      'it\'s "x" {{ y }}',
      "",
      "0123",
      "true",
      "*alias",
      "!tag",
      "é😀",
      "a\nb",
    ]) {
      const { connection } = (await read(config, { PW: password, REGION: "eu" })).gateway;
      expect(connection).toMatchObject({ password, port: 6543, host: "db-eu.local" });
    }
  });

  it("takes conditions and filters of templates", async () => {
    const config = `{% if env_var('STAGE', 'dev') == 'live' %}project: live{% else %}project: {{ env_var('STAGE', 'Dev') | lower }}{% endif %}\n${plainConfig}`;
    expect((await read(config)).name).toBe("dev");
    expect((await read(config, { STAGE: "live" })).name).toBe("live");
  });

  it.each([
    "{{ ''.constructor.constructor('return process')() }}",
    "{{ env_var.constructor('return 1')() }}",
    "{{ env_var['constructor'] }}",
    "{% include '/etc/passwd' %}",
    "{% import 'x' as y %}",
    "{% extends 'x' %}",
    "{% for i in range(1000000000) %}x{% endfor %}",
    "{{ user() }}",
    "{{ 'x' | dump }}",
    "{{ cycler() }}",
    "{% macro x() %}{% endmacro %}",
  ])("runs nothing and reads nothing for %s", async (template) => {
    expect(lines(await settings(`project: ${template}\n${plainConfig}`))).toMatch(
      /^config\.yaml:1: .*can't stand in a configuration's template\. Known is/,
    );
  });

  it("reads .env over the process' variables, or the file that is named instead", async () => {
    const config = plainConfig.replace("user: ann", "user: {{ env_var('DB_USER', 'nobody') }}");
    const folder = await writeProject({
      "config.yaml": config,
      ".env": "DB_USER=from_env # c\nSQLMESH__PROJECT=p\n",
      "other.env": "export DB_USER='from other'\n",
    });
    const projects = await source({ DB_USER: "from_process" });
    const user = async (dotenv: string | null): Promise<unknown> => {
      const result = await projects.readSettings({ folder, gateway: null, dotenv });
      return result.ok ? [result.value.gateway.connection.user, result.value.name] : lines(result);
    };
    expect(await user(null)).toEqual(["from_env", "p"]);
    expect(await user(join(folder, "other.env"))).toEqual(["from other", ""]);
    expect(await user(join(folder, "none.env"))).toContain("The file can't be read: there is no such file.");
  });

  it("lets SQLMESH__ and WEIR__ variables override keys, and WEIR_ ones the rest", async () => {
    const environment = {
      SQLMESH__GATEWAYS__PG__CONNECTION__PORT: "1111",
      SQLMESH__GATEWAYS__PG__CONNECTION__HOST: "h",
      WEIR__GATEWAYS__PG__CONNECTION__HOST: "w",
      SQLMESH__DEFAULT_TARGET_ENVIRONMENT: "dev",
      SQLMESH__AIRFLOW__DISABLE_STATE_MIGRATION: "1",
      WEIR_PROJECT: "shop",
      WEIR_CACHE_DIR: "/var/tmp/cache",
    };
    expect(await read(`project: other\n${plainConfig}`, environment)).toMatchObject({
      name: "shop",
      gateway: { connection: { port: 1111, host: "w", user: "ann" } },
      defaultEnvironment: "dev",
      cacheFolder: "/var/tmp/cache/weir",
      warnings: [],
    });
  });

  it("reads the rules of names", async () => {
    const config = `${plainConfig}physical_schema_mapping: { '^raw$': Landing, '.*': phys }
physical_table_naming_convention: table_only
environment_suffix_target: table
`;
    expect((await read(config)).naming).toEqual({
      physicalSchemas: [
        { pattern: "^raw$", schema: "landing" },
        { pattern: ".*", schema: "phys" },
      ],
      physicalTable: "table_only",
      suffixTarget: "table",
    });
  });

  it("takes a byte order mark, CRLF and every name that a configuration may have", async () => {
    for (const name of ["config.yaml", "config.yml", "sqlmesh.yaml", "sqlmesh.yml"]) {
      const folder = await writeProject({ [name]: `\ufeff${plainConfig.replaceAll("\n", "\r\n")}` });
      const result = await (await source()).readSettings({ folder, gateway: null, dotenv: null });
      expect(result.ok && result.value.gateway.connection.database).toBe("wh");
    }
  });

  it("warns of keys that do nothing, with the nearest that does", async () => {
    const config = `${plainConfig}defualt_gateway: pg\nusers: [{ username: a }]\nplan: { auto_apply: true }\n`.replace(
      "user: ann",
      "user: ann\n      sslmod: x",
    );
    expect((await read(config)).warnings).toEqual([
      "config.yaml:13:1: There is no key defualt_gateway; it is ignored. Did you mean default_gateway?",
      "config.yaml:14:1: users has no effect yet.",
      "config.yaml:15:9: plan.auto_apply has no effect yet.",
      "config.yaml:8:7: The connection of the gateway pg has no key sslmod; it is ignored. Did you mean sslmode?",
    ]);
  });
});
