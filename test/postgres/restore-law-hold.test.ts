import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Captured } from "../../server/core/catalog/captured.ts";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import { holdStatements } from "../../server/core/engine/postgres/restore/hold-object.ts";
import { makeTimeouts } from "../../server/core/engine/postgres/statement.ts";
import { readCaptures } from "../../server/engine/postgres/capture/read-captures.ts";
import { compareSnapshots, takeSnapshot } from "./catalog-snapshot.ts";
import { asRole, createDatabase } from "./database.ts";
import { buildRestoreZoo, createZooRoles } from "./restore-zoo.ts";

const [ROOT, MV, LARGEST] = ["zoo.root", "zoo.mv", "zoo.largest(integer, text[])"];
const MOVES = "zoo.moves(zoo.root, integer)";

/** What is held, and what nobody else may get done meanwhile. */
const HELD: readonly (readonly [ObjectName, "dropped" | "stays", readonly string[]])[] = [
  [
    { schema: "zoo", name: "root", type: "view" },
    "dropped",
    [
      `GRANT DELETE ON ${ROOT} TO PUBLIC`,
      `REVOKE SELECT ON ${ROOT} FROM PUBLIC`,
      `GRANT SELECT (big) ON ${ROOT} TO PUBLIC`,
      `GRANT SELECT (id) ON ${ROOT} TO PUBLIC`,
      `GRANT USAGE ON TYPE ${ROOT} TO PUBLIC`,
      `COMMENT ON VIEW ${ROOT} IS 'x'`,
      `COMMENT ON COLUMN ${ROOT}.id IS 'x'`,
      `COMMENT ON RULE "quiet on" ON ${ROOT} IS 'x'`,
      `COMMENT ON TRIGGER "instead ""of""" ON ${ROOT} IS 'x'`,
      `ALTER VIEW ${ROOT} OWNER TO CURRENT_USER`,
      `ALTER VIEW ${ROOT} SET (security_barrier = false)`,
      `ALTER VIEW ${ROOT} ALTER COLUMN id SET DEFAULT 1`,
      `CREATE RULE r AS ON INSERT TO ${ROOT} DO INSTEAD NOTHING`,
      `CREATE VIEW zoo.new AS SELECT id FROM ${ROOT}`,
      `CREATE OR REPLACE VIEW ${ROOT} AS SELECT id, name, amount, big FROM zoo.base`,
    ],
  ],
  [
    { schema: "zoo", name: "given", type: "view" },
    "dropped",
    [
      "GRANT DELETE ON zoo.given TO PUBLIC",
      "REVOKE SELECT ON zoo.given FROM PUBLIC",
      "GRANT SELECT (id) ON zoo.given TO PUBLIC",
      "GRANT SELECT (name) ON zoo.given TO PUBLIC",
      "GRANT USAGE ON TYPE zoo.given TO PUBLIC",
    ],
  ],
  [
    { schema: "zoo", name: "on_mv", type: "view" },
    "stays",
    [
      "COMMENT ON VIEW zoo.on_mv IS 'x'",
      "ALTER VIEW zoo.on_mv RENAME TO x",
      "ALTER VIEW zoo.on_mv SET (security_barrier)",
    ],
  ],
  [
    { schema: "zoo", name: "mv", type: "materialized view" },
    "dropped",
    [
      `GRANT DELETE ON ${MV} TO PUBLIC`,
      `GRANT SELECT (big) ON ${MV} TO PUBLIC`,
      `CREATE INDEX ON ${MV} (big)`,
      `CREATE STATISTICS zoo.new ON id, big FROM ${MV}`,
      `ALTER MATERIALIZED VIEW ${MV} ALTER COLUMN big SET STATISTICS 3`,
      `ALTER MATERIALIZED VIEW ${MV} SET WITHOUT CLUSTER`,
      `REFRESH MATERIALIZED VIEW ${MV}`,
    ],
  ],
  [
    { schema: "zoo", name: "mv_lower", type: "index" },
    "dropped",
    [
      "COMMENT ON INDEX zoo.mv_lower IS 'x'",
      "ALTER INDEX zoo.mv_lower ALTER COLUMN 2 SET STATISTICS 4",
      "ALTER INDEX zoo.mv_lower SET (fillfactor = 50)",
      "ALTER INDEX zoo.mv_lower NO DEPENDS ON EXTENSION plpgsql",
    ],
  ],
  [
    { schema: "zoo", name: "mv_expression", type: "statistics object" },
    "dropped",
    [
      "COMMENT ON STATISTICS zoo.mv_expression IS 'x'",
      "ALTER STATISTICS zoo.mv_expression SET STATISTICS 4",
      "ALTER STATISTICS zoo.mv_expression OWNER TO CURRENT_USER",
    ],
  ],
  ...(["dropped", "stays"] as const).map(
    (fate) =>
      [
        { schema: "zoo", name: "largest(integer,pg_catalog.text[])", type: "function" },
        fate,
        [
          `COMMENT ON FUNCTION ${LARGEST} IS 'x'`,
          `GRANT EXECUTE ON FUNCTION ${LARGEST} TO PUBLIC`,
          `ALTER FUNCTION ${LARGEST} COST 3`,
          `ALTER FUNCTION ${LARGEST} OWNER TO CURRENT_USER`,
          `ALTER FUNCTION ${LARGEST} NO DEPENDS ON EXTENSION plpgsql`,
          `CREATE OR REPLACE FUNCTION zoo.largest("low on" integer DEFAULT 0, VARIADIC rest text[] DEFAULT '{}')
             RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
        ],
      ] as const,
  ),
  [
    { schema: "zoo", name: "moves(zoo.root,integer)", type: "procedure" },
    "dropped",
    [
      `COMMENT ON PROCEDURE ${MOVES} IS 'x'`,
      `REVOKE EXECUTE ON PROCEDURE ${MOVES} FROM PUBLIC`,
      "CREATE OR REPLACE PROCEDURE zoo.moves(r zoo.root, INOUT n integer) LANGUAGE sql AS 'SELECT 1'",
    ],
  ],
  [
    { schema: "zoo", name: '"small on" on hosts', type: "table constraint" },
    "dropped",
    ['COMMENT ON CONSTRAINT "small on" ON zoo.hosts IS NULL', 'ALTER TABLE zoo.hosts VALIDATE CONSTRAINT "small on"'],
  ],
  [
    { schema: "zoo", name: '"only on" on hosts', type: "policy" },
    "stays",
    [
      'COMMENT ON POLICY "only on" ON zoo.hosts IS NULL',
      'ALTER POLICY "only on" ON zoo.hosts TO PUBLIC',
      "ALTER TABLE zoo.hosts ENABLE TRIGGER ALL",
      "ALTER TABLE zoo.hosts ALTER COLUMN id SET DEFAULT 1",
      "COMMENT ON CONSTRAINT valid ON zoo.hosts IS 'x'",
    ],
  ],
];

describe("what is held stays as it is until the transaction ends", () => {
  let applier: pg.Client;
  let other: pg.Client;

  beforeAll(async () => {
    const database = await createDatabase("hold");
    const roles = await createZooRoles(database);
    other = new pg.Client(database);
    await other.connect();
    await buildRestoreZoo(other, roles);
    await other.query("SET lock_timeout = '30ms'");
    applier = new pg.Client(asRole(database, roles.applier));
    await applier.connect();
  });
  afterEach(async () => {
    await applier.query("ROLLBACK");
    await other.query("ROLLBACK");
  });
  afterAll(async () => {
    await applier.end();
    await other.end();
  });

  test.each(HELD)("%o, which is %s", async (object, fate, changes) => {
    await applier.query("BEGIN; SET LOCAL search_path TO ''");
    try {
      const { objects } = await readCaptures(
        async ({ text, values }) => (await applier.query(text, [...values])).rows,
        [object],
      );
      const before = await takeSnapshot(applier);
      for (const { sql } of holdStatements(objects[0] as Captured, fate, makeTimeouts(1_000))) await applier.query(sql);
      expect(compareSnapshots(before, await takeSnapshot(applier))).toEqual({ lost: [], added: [] });
      for (const change of changes) expect({ change, code: await codeOf(change) }).toEqual({ change, code: "55P03" });
    } finally {
      await applier.query("ROLLBACK");
    }
    for (const change of changes) expect({ change, code: await codeOf(change) }).toEqual({ change, code: null });
  });

  test("what was changed before it was held isn't undone by it", async () => {
    const objects: readonly ObjectName[] = [
      { schema: "zoo", name: "on_mv", type: "view" },
      { schema: "zoo", name: "mv_expression", type: "statistics object" },
      { schema: "zoo", name: "largest(integer,pg_catalog.text[])", type: "function" },
      { schema: "zoo", name: '"only on" on hosts', type: "policy" },
    ];
    await other.query("BEGIN; SET LOCAL search_path TO ''");
    const planned = await readCaptures(
      async ({ text, values }) => (await other.query(text, [...values])).rows,
      objects,
    );
    await other.query(`
      ALTER VIEW zoo.on_mv OWNER TO pg_monitor; ALTER FUNCTION ${LARGEST} OWNER TO pg_monitor;
      ALTER FUNCTION ${LARGEST} COST 7; ALTER TABLE zoo.hosts OWNER TO pg_monitor;
      ALTER STATISTICS zoo.mv_expression SET STATISTICS 9;`);
    const changed = await takeSnapshot(other);
    const statements = planned.objects.flatMap((each) => holdStatements(each, "dropped", makeTimeouts(1_000)));
    for (const { sql } of statements) await other.query(sql);
    expect(compareSnapshots(changed, await takeSnapshot(other))).toEqual({ lost: [], added: [] });
    await other.query("ROLLBACK");
  });

  test("what a held view reads can be read and written by others", async () => {
    await applier.query("BEGIN; SET LOCAL search_path TO ''");
    const root: ObjectName = { schema: "zoo", name: "root", type: "view" };
    const { objects } = await readCaptures(
      async ({ text, values }) => (await applier.query(text, [...values])).rows,
      [root],
    );
    for (const { sql } of holdStatements(objects[0] as Captured, "dropped", makeTimeouts(1_000)))
      await applier.query(sql);
    expect(await codeOf("SELECT FROM zoo.base; INSERT INTO zoo.base (id) VALUES (-1)")).toBe(null);
    expect(await codeOf("SELECT FROM zoo.root")).toBe("55P03");
    await applier.query("ROLLBACK");
  });

  /** Of an attempt that is undone at once; null where it went through. */
  async function codeOf(change: string): Promise<string | null> {
    await other.query("BEGIN");
    try {
      await other.query(change);
      return null;
    } catch (error) {
      return (error as pg.DatabaseError).code ?? "";
    } finally {
      await other.query("ROLLBACK");
    }
  }
});
