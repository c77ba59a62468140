import { describe, expect } from "vitest";
import { inspectEnvironment } from "../../server/operations/inspect-environment.ts";
import { blockers, refusal, test } from "./world.ts";

describe("names", () => {
  test("B12: quoted names keep their case, in prod and dev, and nothing is created in another", async ({ world }) => {
    world.write({
      "models/orders.sql": 'MODEL (name "Sales"."Orders", kind FULL);\n\nSELECT 1 AS "Id"',
      "models/top.sql": 'MODEL (name "Sales"."Top", kind VIEW);\n\nSELECT "Id" FROM "Sales"."Orders"',
    });
    await world.apply();
    await world.apply({}, { environment: "dev" });
    const schemas = await world.sql<{ nspname: string }>(
      "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$|^public$' ORDER BY 1",
    );
    expect(schemas.map((each) => each.nspname)).toEqual(["Sales", "Sales__dev", "sqlmesh__Sales", "weir_internal"]);
    expect(await world.sql('SELECT "Id" FROM "Sales"."Top"')).toEqual([{ Id: 1 }]);
    expect(await world.sql('SELECT "Id" FROM "Sales__dev"."Top"')).toEqual([{ Id: 1 }]);
  });

  test("B14: names that differ in letters beyond ASCII alone are different things", async ({ world }) => {
    const long = "é".repeat(31);
    world.write({
      "models/a.sql": 'MODEL (name shop."größe", kind FULL);\n\nSELECT 1 AS a',
      "models/b.sql": 'MODEL (name shop."grüße", kind FULL);\n\nSELECT 2 AS a',
      "models/c.sql": `MODEL (name shop."${long}", kind FULL);\n\nSELECT 3 AS a`,
    });
    await world.apply();
    expect(await world.sql('SELECT a FROM shop."größe" UNION ALL SELECT a FROM shop."grüße"')).toEqual([
      { a: 1 },
      { a: 2 },
    ]);
    const { models } = await world.environment();
    expect(new Set(models.map((each) => each.relation?.name)).size).toBe(3);
    expect(models.map((each) => Buffer.byteLength(each.relation?.name ?? "")).filter((bytes) => bytes > 63)).toEqual(
      [],
    );

    const tooLong = "é".repeat(33);
    world.write({ "models/c.sql": `MODEL (name shop."${tooLong}", kind FULL);\n\nSELECT 3 AS a` });
    expect(await refusal(world.plan())).toBe(
      `models/c.sql:1:13: The name ${tooLong} has 66 bytes; Postgres keeps 63. Choose a shorter one.`,
    );
  });

  test("B83: long names give two versions two tables, cut with a digest, within 63 bytes", async ({ world }) => {
    const name = "warehouse_core.customer_order_line_status_changes_by_region_daily";
    const write = (query: string) => world.write({ "models/long.sql": `MODEL (name ${name}, kind FULL);\n\n${query}` });
    write("SELECT 1 AS id");
    const { view } = await world.apply();
    const first = await world.physical(name);
    write("SELECT 2 AS id");
    await world.apply();
    const second = await world.physical(name);
    expect(first).not.toBe(second);
    expect(await world.sql(`SELECT id FROM ${first} UNION ALL SELECT id FROM ${second}`)).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    for (const physical of [first, second]) {
      expect(Buffer.byteLength(physical.split('"."')[1]?.replace('"', "") ?? "")).toBeLessThanOrEqual(
        63 - "__dev".length,
      );
    }
    expect(view.warnings).toEqual([expect.stringContaining(name)]);
    await world.apply({}, { environment: "dev" });
    expect(await world.sql(`SELECT id FROM ${name.replace(".", "__dev.")}`)).toEqual([{ id: 2 }]);
  });

  test("B88: one rule makes every environment's name; what it refuses, it refuses everywhere", async ({ world }) => {
    world.write({ "models/a.sql": "MODEL (name shop.a, kind VIEW);\n\nSELECT 1 AS id" });
    await world.apply();
    await world.apply({}, { environment: "my-env" });
    const names = async () => (await world.services.state.listEnvironments("")).map((each) => each.name);
    expect(await names()).toEqual(["my_env", "prod"]);
    expect((await world.plan({ environment: "MY_ENV" })).view.result).toBe("empty");
    expect((await world.plan({ environment: "PROD" })).view.environment).toBe("prod");
    expect((await world.plan({ environment: "my.env" })).view.result).toBe("empty");
    const refused = ["", "a;b", "x".repeat(60)].map(async (environment) => refusal(world.plan({ environment })));
    expect(await Promise.all(refused)).toEqual([
      '"" can\'t name an environment: it is empty.',
      '"a;b" can\'t name an environment: it may hold letters, digits, "_" and - . / + # @ between them, not ";".',
      `Names in the environment ${"x".repeat(60)} would be longer than 63 bytes: shop__${"x".repeat(60)}. Choose shorter names.`,
    ]);
    expect(await names()).toEqual(["my_env", "prod"]);
  });

  test("B116: names with dots, slashes, percent signs, markup and quotes work from file to inspection", async ({
    world,
  }) => {
    const names = [
      '"Sales"."Top.10"',
      'shop."a/b"',
      'shop."größe"',
      'shop."100%"',
      'shop."<b>x</b>"',
      'shop."say ""hi"""',
    ];
    world.write(
      Object.fromEntries(
        names.map((name, index) => [
          `models/m${index}.sql`,
          `MODEL (name ${name}, kind FULL);\n\nSELECT ${index} AS n`,
        ]),
      ),
    );
    const planned = await world.apply();
    expect(blockers(planned)).toEqual([]);
    for (const [index, name] of names.entries())
      expect(await world.sql(`SELECT n FROM ${name}`)).toEqual([{ n: index }]);
    const { objects } = await inspectEnvironment(world.services, world.place, "prod");
    expect(objects.map((each) => each.found)).toEqual(names.map(() => "present"));
  });
});
