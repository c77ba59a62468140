import { beforeAll, describe, expect, test } from "vitest";
import { byteLength } from "../../../server/core/base/relation-name.ts";
import {
  addColumnsStatements,
  dropColumnsStatements,
  lockViewStatements,
  retypeColumnsStatements,
} from "../../../server/core/engine/postgres/alter-table.ts";
import { commentStatements } from "../../../server/core/engine/postgres/comment.ts";
import { createIndexStatements } from "../../../server/core/engine/postgres/create-index.ts";
import { createMaterializedViewStatements } from "../../../server/core/engine/postgres/create-materialized-view.ts";
import { createTableStatements } from "../../../server/core/engine/postgres/create-table.ts";
import { createViewStatements } from "../../../server/core/engine/postgres/create-view.ts";
import { dropIndexStatements } from "../../../server/core/engine/postgres/drop-index.ts";
import {
  fillTableStatements,
  refillTableStatements,
  replacePartitionsStatements,
} from "../../../server/core/engine/postgres/fill-table.ts";
import { indexName } from "../../../server/core/engine/postgres/index-name.ts";
import { authoredIndexName, runStatementStatements } from "../../../server/core/engine/postgres/run-statement.ts";
import { setAccessStatements } from "../../../server/core/engine/postgres/set-access.ts";
import { setStorageStatements } from "../../../server/core/engine/postgres/set-storage.ts";
import { makeTimeouts } from "../../../server/core/engine/postgres/statement.ts";
import { storageSettings } from "../../../server/core/engine/postgres/storage-settings.ts";
import {
  createVirtualViewStatements,
  dropVirtualViewStatements,
  replaceVirtualViewStatements,
} from "../../../server/core/engine/postgres/virtual-view.ts";
import type { Statement } from "../../../server/core/plan/action.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { outputColumnsOf } from "../../builders/catalog.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const timeouts = makeTimeouts(1_000);
const odd = { schema: 'we"ird', name: "T.1" };
const columns = outputColumnsOf("id integer, when timestamp(3) with time zone");
const plain = storageSettings({});

const rendered: readonly (readonly [string, readonly Statement[], readonly string[]])[] = [
  [
    "a physical view names its columns",
    createViewStatements(
      { relation: odd, columns: ["id", 'a"b'], query: " SELECT 1, 2 -- end\n;\n", settings: plain },
      timeouts,
    ),
    ['CREATE VIEW "we""ird"."T.1" ("id", "a""b") AS\nSELECT 1, 2 -- end'],
  ],
  [
    "a materialized view is made empty, and a comment at the end of its query can't swallow that",
    createMaterializedViewStatements(
      {
        relation: odd,
        columns: ["id"],
        query: "SELECT 1 -- end",
        settings: storageSettings({ fillfactor: 80, tablespace: "fast" }),
      },
      timeouts,
    ),
    [
      `CREATE MATERIALIZED VIEW "we""ird"."T.1" ("id") WITH ("fillfactor" = '80') TABLESPACE "fast" AS\nSELECT 1 -- end\nWITH NO DATA`,
    ],
  ],
  [
    "a table has explicit columns and types",
    createTableStatements(
      { relation: odd, columns, settings: storageSettings({ unlogged: true, "toast.autovacuum_enabled": false }) },
      timeouts,
    ),
    [
      `CREATE UNLOGGED TABLE "we""ird"."T.1" (\n  "id" integer,\n  "when" timestamp(3) with time zone\n) WITH ("toast"."autovacuum_enabled" = 'false')`,
    ],
  ],
  [
    "a fill casts to the table's types",
    fillTableStatements({ relation: odd, columns, query: 'SELECT 1 AS id, now() AS "when"', served: false }, timeouts),
    [
      'INSERT INTO "we""ird"."T.1" ("id", "when")\nSELECT "weir_source"."id"::integer AS "id", "weir_source"."when"::timestamp(3) with time zone AS "when"\nFROM (\nSELECT 1 AS id, now() AS "when"\n) AS "weir_source"',
    ],
  ],
  [
    "comments take odd texts, and null takes them away",
    commentStatements(
      { relation: odd, type: "TABLE", served: true },
      { relation: "it's \\ here", columns: [["id", null]] },
      timeouts,
    ),
    [`COMMENT ON TABLE "we""ird"."T.1" IS E'it''s \\\\ here'`, 'COMMENT ON COLUMN "we""ird"."T.1"."id" IS NULL'],
  ],
  [
    "a virtual view repeats its options",
    replaceVirtualViewStatements(
      { view: odd, served: ["id"], options: ["check_option=local", "security_barrier=true"], physical: odd },
      timeouts,
    ),
    [
      `CREATE OR REPLACE VIEW "we""ird"."T.1" ("id") WITH ("check_option" = 'local', "security_barrier" = 'true') AS\nSELECT "id"\nFROM "we""ird"."T.1"`,
    ],
  ],
  [
    "a view is dropped with nothing else",
    dropVirtualViewStatements(odd, timeouts),
    ['DROP VIEW "we""ird"."T.1" RESTRICT'],
  ],
  ["an index is dropped with nothing else", dropIndexStatements("s", "i", timeouts), ['DROP INDEX "s"."i" RESTRICT']],
  [
    "columns are added, dropped, retyped",
    [
      ...lockViewStatements({ view: odd, owner: "deploy" }, timeouts),
      ...addColumnsStatements(odd, outputColumnsOf("a integer, b text"), timeouts),
      ...dropColumnsStatements(odd, ["a", "b"], timeouts),
      ...retypeColumnsStatements(odd, outputColumnsOf("a bigint"), timeouts),
    ],
    [
      'ALTER VIEW "we""ird"."T.1" OWNER TO "deploy"',
      'ALTER TABLE "we""ird"."T.1"\n  ADD COLUMN "a" integer,\n  ADD COLUMN "b" text',
      'ALTER TABLE "we""ird"."T.1"\n  DROP COLUMN "a" RESTRICT,\n  DROP COLUMN "b" RESTRICT',
      'ALTER TABLE "we""ird"."T.1"\n  ALTER COLUMN "a" TYPE bigint USING "a"::bigint',
    ],
  ],
  [
    "owner before grants, since they would be given by another otherwise",
    setAccessStatements(
      { relation: odd, type: "MATERIALIZED VIEW" },
      {
        owner: "team_a",
        grants: [{ grantor: "team_a", grantee: "PUBLIC", privilege: "SELECT", grantable: true }],
        columnGrants: [
          { column: "id", grant: { grantor: "team_a", grantee: "b i", privilege: "UPDATE", grantable: false } },
        ],
      },
      timeouts,
    ),
    [
      'ALTER MATERIALIZED VIEW "we""ird"."T.1" OWNER TO "team_a"',
      'GRANT SELECT ON "we""ird"."T.1" TO PUBLIC WITH GRANT OPTION',
      'GRANT UPDATE ("id") ON "we""ird"."T.1" TO "b i"',
    ],
  ],
  [
    "storage is set and reset",
    setStorageStatements(
      { relation: odd, type: "TABLE" },
      { set: [["fillfactor", "80"]], reset: ["toast.autovacuum_enabled"] },
      timeouts,
    ),
    [
      `ALTER TABLE "we""ird"."T.1" SET ("fillfactor" = '80')`,
      'ALTER TABLE "we""ird"."T.1" RESET ("toast"."autovacuum_enabled")',
    ],
  ],
];

describe("statements of Postgres", () => {
  test.each(rendered)("%s", (_what, statements, expected) => {
    expect(statements.map((statement) => statement.sql)).toEqual(expected);
    for (const { sql } of statements) expect(parser.parse(sql)).toMatchObject({ ok: true });
  });

  test("refills delete and insert, never truncate; a query that reads its own table is evaluated first", () => {
    const fill = { relation: odd, columns, query: 'SELECT 1 AS id, now() AS "when"', served: true };
    const kinds = (statements: readonly Statement[]) =>
      statements.map((statement) => statement.sql.split(/[ \n]/, 2).join(" "));
    expect(kinds(refillTableStatements(fill, false, timeouts))).toEqual(["DELETE FROM", "INSERT INTO"]);
    expect(kinds(refillTableStatements(fill, true, timeouts))).toEqual([
      "CREATE TEMPORARY",
      "DELETE FROM",
      "INSERT INTO",
    ]);
    expect(refillTableStatements(fill, false, timeouts).map((each) => each.lock)).toEqual([
      "ROW EXCLUSIVE",
      "ROW EXCLUSIVE",
    ]);
  });

  test("partitions compare so that NULL is one, and keys can only mean the table's own columns", () => {
    const fill = { relation: odd, columns, query: 'SELECT 1 AS id, now() AS "when"', served: true };
    const statements = replacePartitionsStatements(fill, ["id", `date_trunc('month', "when")`], timeouts);
    for (const { sql } of statements) expect(parser.parse(sql)).toMatchObject({ ok: true });
    expect(statements[2]?.sql).toBe(
      'DELETE FROM "we""ird"."T.1"\nWHERE EXISTS (SELECT FROM (SELECT DISTINCT (id) AS "weir_key_1", (date_trunc(\'month\', "when")) AS "weir_key_2" FROM "pg_temp"."weir_new_rows") AS "weir_keys" WHERE (id) IS NOT DISTINCT FROM "weir_keys"."weir_key_1" AND (date_trunc(\'month\', "when")) IS NOT DISTINCT FROM "weir_keys"."weir_key_2")',
    );
  });
});

describe("names of indexes", () => {
  test("are at most 63 bytes and differ by version and by text, whatever is cut", () => {
    const long = `${"é".repeat(25)}__`;
    const names = ["aaaaaaaaaa", "bbbbbbbbbb"].flatMap((version) =>
      ["(id)", "UNIQUE (id)"].map((text) => indexName({ schema: "s", name: `${long}${version}` }, text)),
    );
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(byteLength(name)).toBeLessThanOrEqual(63);
  });

  test.each([
    ["(ds) INCLUDE (amount)", "CREATE INDEX", "(ds) INCLUDE (amount)"],
    ["UNIQUE (id)", "CREATE UNIQUE INDEX", "(id)"],
    ["unique using btree (id) WHERE id > 0", "CREATE UNIQUE INDEX", "using btree (id) WHERE id > 0"],
    ["USING gin (tags)", "CREATE INDEX", "USING gin (tags)"],
    ["(unique_id)", "CREATE INDEX", "(unique_id)"],
  ])("%s", (text, head, rest) => {
    const sql = createIndexStatements(odd, text, true, timeouts)[0]?.sql ?? "";
    expect(sql.startsWith(`${head} "`)).toBe(true);
    expect(sql.endsWith(` ON "we""ird"."T.1" ${rest}`)).toBe(true);
    expect(parser.parse(sql)).toMatchObject({ ok: true });
  });

  test("an author's named index gets a name of its own on each version, so that IF NOT EXISTS can't skip it", () => {
    const sql = (version: string) =>
      runStatementStatements(
        'CREATE INDEX IF NOT EXISTS ix_due ON "s"."t" (due)',
        { schema: "s", name: version },
        timeouts,
      )[0]?.sql;
    expect(sql("t__1")).not.toBe(sql("t__2"));
    expect(sql("t__1")).toContain(
      `"${authoredIndexName("create index Ix_Due on t (due)", { schema: "s", name: "t__1" })}"`,
    );
    expect(parser.parse(sql("t__1") ?? "")).toMatchObject({ ok: true });
  });

  test("what refuses to run in a transaction is marked so", () => {
    const alone = (sql: string) => runStatementStatements(sql, odd, timeouts)[0]?.alone;
    expect(alone("CREATE INDEX CONCURRENTLY ON s.t (a)")).toBe(true);
    expect(alone("VACUUM s.t")).toBe(true);
    expect(alone("CREATE INDEX ON s.t (a)")).toBe(false);
  });
});

test.each([
  [1_000, 250],
  [200, 100],
  [1, 1],
])("readers never queue behind us longer than half of deadlock_timeout: %i ms", (deadlock, expected) => {
  const limits = makeTimeouts(deadlock);
  const view = { view: odd, served: ["id"], options: [], physical: odd };
  expect(replaceVirtualViewStatements(view, limits)[0]?.lockTimeoutMs).toBe(expected);
  expect(createVirtualViewStatements(view, limits)[0]?.lockTimeoutMs).toBeNull();
});
