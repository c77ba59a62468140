import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import { holdStatements } from "../../server/core/engine/postgres/restore/hold-object.ts";
import { makeTimeouts } from "../../server/core/engine/postgres/statement.ts";
import { readCaptures } from "../../server/engine/postgres/capture/read-captures.ts";
import type { RunQuery } from "../../server/engine/postgres/query.ts";
import { createDatabase } from "./database.ts";

const SETUP = `
  CREATE SCHEMA bi;
  SET search_path = '';
  CREATE TABLE bi.t (id integer, name text);
  CREATE VIEW bi.v AS SELECT id, name FROM bi.t;
  CREATE FUNCTION bi.fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER instead INSTEAD OF INSERT ON bi.v FOR EACH ROW EXECUTE FUNCTION bi.fires();
  CREATE MATERIALIZED VIEW bi.m AS SELECT id, name FROM bi.v;
  CREATE INDEX i ON bi.m (id);
  CREATE STATISTICS bi.s ON id, name FROM bi.m;
  CREATE FUNCTION bi.f() RETURNS integer LANGUAGE sql RETURN 1;
  CREATE PROCEDURE bi.p() LANGUAGE sql BEGIN ATOMIC SELECT 1; END;
  CREATE TABLE bi.hosts (id integer DEFAULT bi.f(), CONSTRAINT k CHECK (id <> bi.f()));
  CREATE POLICY known ON bi.hosts USING (id IN (SELECT id FROM bi.v));
  CREATE RULE copies AS ON INSERT TO bi.hosts DO ALSO SELECT id FROM bi.v;
  CREATE TRIGGER fires AFTER INSERT ON bi.hosts FOR EACH ROW EXECUTE FUNCTION bi.fires();`;

/** What others must wait with, once the object is held for a drop: each would be lost with it. */
const CHANGES: readonly (readonly [object: ObjectName, changes: readonly string[]])[] = [
  [
    { schema: "bi", name: "v", type: "view" },
    [
      "GRANT SELECT ON bi.v TO PUBLIC",
      "REVOKE SELECT ON bi.v FROM CURRENT_USER",
      "GRANT UPDATE (name) ON bi.v TO PUBLIC",
      "GRANT USAGE ON TYPE bi.v TO CURRENT_USER",
      "COMMENT ON VIEW bi.v IS 'v'",
      "COMMENT ON COLUMN bi.v.id IS 'id'",
      "COMMENT ON TRIGGER instead ON bi.v IS 'fires'",
      "ALTER VIEW bi.v SET (security_barrier = true)",
      "ALTER VIEW bi.v ALTER COLUMN id SET DEFAULT 1",
      "ALTER VIEW bi.v OWNER TO CURRENT_USER",
      "CREATE OR REPLACE VIEW bi.v AS SELECT id, name FROM bi.t WHERE id > 0",
      "CREATE RULE more AS ON DELETE TO bi.v DO INSTEAD NOTHING",
      "CREATE VIEW bi.another AS SELECT id FROM bi.v",
      "DROP TRIGGER instead ON bi.v",
    ],
  ],
  [
    { schema: "bi", name: "m", type: "materialized view" },
    [
      "GRANT SELECT ON bi.m TO PUBLIC",
      "GRANT SELECT (name) ON bi.m TO PUBLIC",
      "COMMENT ON MATERIALIZED VIEW bi.m IS 'm'",
      "REFRESH MATERIALIZED VIEW bi.m",
      "CREATE INDEX more ON bi.m (name)",
      "CREATE STATISTICS bi.more (mcv) ON id, name FROM bi.m",
      "ALTER MATERIALIZED VIEW bi.m CLUSTER ON i",
      "ALTER MATERIALIZED VIEW bi.m ALTER COLUMN id SET STATISTICS 5",
      "DROP INDEX bi.i",
    ],
  ],
  [
    { schema: "bi", name: "f()", type: "function" },
    [
      "GRANT EXECUTE ON FUNCTION bi.f() TO CURRENT_USER",
      "CREATE OR REPLACE FUNCTION bi.f() RETURNS integer LANGUAGE sql RETURN 2",
      "ALTER FUNCTION bi.f() STABLE",
      "COMMENT ON FUNCTION bi.f() IS 'f'",
    ],
  ],
  [
    { schema: "bi", name: "p()", type: "procedure" },
    [
      "REVOKE EXECUTE ON PROCEDURE bi.p() FROM PUBLIC",
      "CREATE OR REPLACE PROCEDURE bi.p() LANGUAGE sql BEGIN ATOMIC SELECT 2; END",
      "COMMENT ON PROCEDURE bi.p() IS 'p'",
    ],
  ],
  ...["known on hosts", "copies on hosts", "fires on hosts", "k on hosts", "id on hosts"].map((name, index) => {
    const type = ["policy", "rule", "trigger", "table constraint", "default value"][index] as string;
    const changes = [
      "ALTER POLICY known ON bi.hosts USING (true)",
      "ALTER TABLE bi.hosts DISABLE RULE copies",
      "ALTER TABLE bi.hosts DISABLE TRIGGER fires",
      "COMMENT ON CONSTRAINT k ON bi.hosts IS 'k'",
      "ALTER TABLE bi.hosts ALTER COLUMN id SET DEFAULT 3",
    ];
    return [{ schema: "bi", name, type }, [changes[index] as string]] as const;
  }),
];

describe("whoever would change a held object waits until the transaction ends", () => {
  let holder: pg.Client;
  let other: pg.Client;

  beforeAll(async () => {
    const database = await createDatabase("held");
    [holder, other] = [new pg.Client(database), new pg.Client(database)];
    await holder.connect();
    await other.connect();
    await holder.query(SETUP);
    await other.query("SET lock_timeout = '50ms'");
  });
  afterAll(async () => {
    await other.end();
    await holder.end();
  });
  beforeEach(async () => {
    await holder.query("BEGIN; SET LOCAL search_path TO ''");
  });
  afterEach(async () => {
    await holder.query("ROLLBACK");
  });

  const run: RunQuery = async (query) => (await holder.query(query.text, [...query.values])).rows;

  async function hold(object: ObjectName, fate: "dropped" | "stays"): Promise<void> {
    const [captured] = (await readCaptures(run, [object])).objects;
    if (captured === undefined) throw new Error(`no ${object.type} ${object.name}`);
    for (const { sql } of holdStatements(captured, fate, makeTimeouts(1_000))) await holder.query(sql);
    expect((await readCaptures(run, [object])).objects).toEqual([captured]);
  }

  /** SQLSTATE, or `done`; undone in any case. */
  async function outcomeOf(sql: string): Promise<string> {
    await other.query("BEGIN");
    try {
      await other.query(sql);
      return "done";
    } catch (error) {
      return error instanceof pg.DatabaseError ? (error.code ?? "no code") : String(error);
    } finally {
      await other.query("ROLLBACK");
    }
  }

  test.each(CHANGES)("$type $name", async (object, changes) => {
    for (const sql of changes) expect([sql, await outcomeOf(sql)]).toEqual([sql, "done"]);
    await hold(object, "dropped");
    const outcomes: [string, string][] = [];
    for (const sql of changes) outcomes.push([sql, await outcomeOf(sql)]);
    expect(outcomes).toEqual(changes.map((sql) => [sql, "55P03"]));
  });

  test("of what stays, only the definition: a grant isn't lost with it", async () => {
    await hold({ schema: "bi", name: "v", type: "view" }, "stays");
    expect(await outcomeOf("CREATE OR REPLACE VIEW bi.v AS SELECT id, name FROM bi.t WHERE id > 0")).toBe("55P03");
    await hold({ schema: "bi", name: "f()", type: "function" }, "stays");
    expect(await outcomeOf("CREATE OR REPLACE FUNCTION bi.f() RETURNS integer LANGUAGE sql RETURN 2")).toBe("55P03");
  });

  test("a held table doesn't keep its readers from what else they read", async () => {
    await hold({ schema: "bi", name: "v", type: "view" }, "dropped");
    await hold({ schema: "bi", name: "known on hosts", type: "policy" }, "dropped");
    expect(await outcomeOf("SELECT FROM bi.t; INSERT INTO bi.t VALUES (1)")).toBe("done");
    expect(await outcomeOf("SELECT FROM bi.v")).toBe("55P03");
    expect(await outcomeOf("SELECT FROM bi.hosts")).toBe("55P03");
  });
});
