import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Captures } from "../../server/core/catalog/captured.ts";
import type { ClosureMember, ObjectName } from "../../server/core/catalog/catalog.ts";
import { displayObject } from "../../server/core/catalog/display-object.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import type { Warehouse } from "../../server/ports/warehouse.ts";
import { connectionTo } from "./connection.ts";
import { createDatabase } from "./database.ts";
import { buildZoo } from "./zoo.ts";

describe("objects are found again by the names that closures give them", () => {
  let client: pg.Client;
  let warehouse: Warehouse;

  beforeAll(async () => {
    const database = await createDatabase("names");
    client = new pg.Client(database);
    await client.connect();
    warehouse = await openWarehouse(connectionTo(database));
  });
  afterAll(async () => {
    await warehouse.close();
    await client.end();
  });

  async function members(schema: string, name: string): Promise<readonly ClosureMember[]> {
    const request = { project: "p", environment: "prod", schemas: [], relations: [], closures: [{ schema, name }] };
    const [closure] = (await warehouse.readCatalog(request)).closures;
    return closure?.members ?? [];
  }

  function found(captures: Captures): readonly string[] {
    expect(captures.rights.map((each) => each.object)).toEqual(captures.objects.map((each) => each.object));
    return texts(captures.objects.map((each) => each.object));
  }

  function texts(objects: readonly ObjectName[]): readonly string[] {
    return objects.map((object) => `${object.type} ${displayObject(object)}`).sort();
  }

  test("every unit of every closure of the zoo", async () => {
    await buildZoo(client);
    const roots = await client.query<{ schema: string; name: string }>(`
      SELECT relnamespace::regnamespace::text AS schema, relname AS name FROM pg_class
       WHERE relnamespace = 'zoo'::regnamespace AND relkind IN ('v', 'm', 'r', 'p')`);
    const kinds = new Set<string>();
    for (const { schema, name } of roots.rows) {
      const all = await members(schema, name);
      const units = all.filter((each) => each.treatment === "unit" && !ofPartitions(each.object));
      const captures = await warehouse.readCaptures(all.map((each) => each.object));
      expect({ name, found: found(captures) }).toEqual({ name, found: texts(units.map((each) => each.object)) });
      for (const each of captures.objects) kinds.add(each.kind);
    }
    expect([...kinds].sort()).toEqual([
      ...["check", "default", "function", "index", "materialized_view", "policy", "rule", "statistics", "trigger"],
      "view",
    ]);
  });

  /** An index of a partitioned table would have to be made with its parts attached: it can't be captured. */
  function ofPartitions({ name }: ObjectName): boolean {
    return name === "parent_k" || name === "child_k_idx";
  }

  test("names with quotes, dots, ` on `, brackets, keywords and letters beyond ASCII", async () => {
    await client.query(`
      SET search_path = '';
      CREATE SCHEMA "S on T.";
      CREATE VIEW "S on T."."root ""v""" AS SELECT 1 AS id, 'x'::text AS "on";
      CREATE VIEW "S on T."."a on b" AS SELECT id FROM "S on T."."root ""v""";
      CREATE VIEW "S on T."."Größe.(x)" AS SELECT id FROM "S on T."."root ""v""";
      CREATE VIEW "S on T."."select" AS SELECT id FROM "S on T."."root ""v""";
      CREATE VIEW "S on T.".a$b AS SELECT id FROM "S on T."."root ""v""";
      CREATE MATERIALIZED VIEW "S on T."."m "" on "" x" AS SELECT id, "on" FROM "S on T."."root ""v""";
      CREATE INDEX "i on m" ON "S on T."."m "" on "" x" (id);
      CREATE INDEX "i "" on ""." ON "S on T."."m "" on "" x" (id, "on");
      CREATE STATISTICS "S on T."."Stats on ""m"".x" ON id, "on" FROM "S on T."."m "" on "" x";
      CREATE STATISTICS "S on T."."table" ON id, "on" FROM "S on T."."m "" on "" x";
      CREATE FUNCTION "S on T."."f(integer) on ""x"".y"(a integer) RETURNS bigint LANGUAGE sql
        BEGIN ATOMIC SELECT pg_catalog.count(*) FROM "S on T."."root ""v""" WHERE id > a; END;
      CREATE FUNCTION "S on T."."f(integer) on ""x"".y"(a "S on T."."root ""v""", b text[], VARIADIC c numeric[])
        RETURNS integer LANGUAGE sql RETURN 1;
      CREATE FUNCTION "S on T.".größer() RETURNS SETOF "S on T."."root ""v""" LANGUAGE sql AS 'SELECT 1, 2::text';
      CREATE PROCEDURE "S on T."."order"(INOUT x "S on T."."root ""v""") LANGUAGE sql AS 'SELECT x';
      CREATE TABLE "S on T."."t on ""u"".w" ("c on d" integer);
      CREATE POLICY "p on ""q"" on r." ON "S on T."."t on ""u"".w"
        USING ("c on d" IN (SELECT id FROM "S on T."."root ""v"""));
      CREATE RULE "r "" on "" s" AS ON INSERT TO "S on T."."t on ""u"".w"
        DO ALSO SELECT id FROM "S on T."."root ""v""";
      CREATE FUNCTION "S on T.".lowest() RETURNS integer LANGUAGE sql
        BEGIN ATOMIC SELECT pg_catalog.min(id) FROM "S on T."."root ""v"""; END;
      ALTER TABLE "S on T."."t on ""u"".w" ALTER "c on d" SET DEFAULT "S on T.".lowest(),
        ADD CONSTRAINT "k on ""l"".m" CHECK ("c on d" <> "S on T.".lowest());
      CREATE FUNCTION "S on T.".fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER "t "" on "" u" INSTEAD OF INSERT ON "S on T."."a on b" FOR EACH ROW
        EXECUTE FUNCTION "S on T.".fires();`);
    const all = await members("S on T.", 'root "v"');
    const captures = await warehouse.readCaptures(all.map((each) => each.object));
    expect(found(captures)).toEqual(texts(all.map((each) => each.object)));
    expect(captures.objects).toHaveLength(19);
    // Each object, and none twice: what it is called in the text of its definition tells.
    const named = captures.objects.map((each) => JSON.stringify({ ...each, object: null }));
    expect(new Set(named).size).toBe(captures.objects.length);
    expect(captures.defaultGrantees.map((each) => each.schema)).toEqual(["S on T."]);
  });

  test("what is gone, is of another kind, or can't be captured is left out, and nothing is asked for nothing", async () => {
    const names: readonly ObjectName[] = [
      { schema: "zoo", name: "v2", type: "materialized view" },
      { schema: "zoo", name: "mv", type: "view" },
      { schema: "zoo", name: "nothing", type: "view" },
      { schema: "nowhere", name: "v2", type: "view" },
      { schema: "zoo", name: "base", type: "table" },
      { schema: "zoo", name: "base_pkey", type: "index" },
      { schema: "zoo", name: "base_pkey on base", type: "table constraint" },
      { schema: "zoo", name: '"_RETURN" on v', type: "rule" },
      { schema: "zoo", name: "g on parent", type: "default value" },
      { schema: "zoo", name: "base_amount_check on heir", type: "table constraint" },
      { schema: "zoo", name: "agg_v(zoo.v)", type: "function" },
      { schema: "zoo", name: "largest()", type: "procedure" },
      { schema: "zoo", name: "largest", type: "function" },
      { schema: "zoo", name: "quiet on", type: "rule" },
      { schema: "zoo", name: "", type: "trigger" },
    ];
    expect(await warehouse.readCaptures(names)).toEqual({ objects: [], defaultGrantees: [], rights: [] });
    const twice: ObjectName = { schema: "zoo", name: "v2", type: "view" };
    expect((await warehouse.readCaptures([twice, twice])).objects).toHaveLength(1);
  });
});
