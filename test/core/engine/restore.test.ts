import { describe, expect, test } from "vitest";
import { byteLength } from "../../../server/core/base/relation-name.ts";
import type { Captured } from "../../../server/core/catalog/captured.ts";
import { refreshStatements } from "../../../server/core/engine/postgres/restore/create-materialized-view.ts";
import { createStatements } from "../../../server/core/engine/postgres/restore/create-object.ts";
import { dropStatements } from "../../../server/core/engine/postgres/restore/drop-object.ts";
import { holdStatements } from "../../../server/core/engine/postgres/restore/hold-object.ts";
import { isRebindable, rebindStatements } from "../../../server/core/engine/postgres/restore/rebind-object.ts";
import type { RestoreContext } from "../../../server/core/engine/postgres/restore/restore-context.ts";
import { restoreRootStatements } from "../../../server/core/engine/postgres/restore/restore-root.ts";
import {
  asideView,
  dropAsideStatements,
  setAsideStatements,
} from "../../../server/core/engine/postgres/restore/set-aside.ts";
import { makeTimeouts } from "../../../server/core/engine/postgres/statement.ts";
import type { Statement } from "../../../server/core/plan/action.ts";
import {
  aCapturedCheck,
  aCapturedColumn,
  aCapturedDefault,
  aCapturedFunction,
  aCapturedIndex,
  aCapturedMaterializedView,
  aCapturedPolicy,
  aCapturedRule,
  aCapturedStatistics,
  aCapturedStoredColumn,
  aCapturedTrigger,
  aCapturedView,
  aGrant,
} from "../../builders/captured.ts";

/** What runs, byte for byte; that it does what it says is shown on a server, in test/postgres/restore-law*. */

const timeouts = makeTimeouts(1_000);
const context: RestoreContext = { role: "weir", defaultGrantees: [], timeouts };
const leaking: RestoreContext = {
  ...context,
  defaultGrantees: [{ schema: "bi", relations: ["PUBLIC", "app"], functions: ["app"], types: ["app"] }],
};

const everything: readonly Captured[] = [
  aCapturedView(),
  aCapturedMaterializedView(),
  aCapturedIndex(),
  aCapturedStatistics(),
  aCapturedRule(),
  aCapturedTrigger(),
  aCapturedPolicy(),
  aCapturedDefault(),
  aCapturedCheck(),
  aCapturedFunction(),
];

function texts(statements: readonly Statement[]): readonly string[] {
  return statements.map((statement) => statement.sql);
}

const created: readonly (readonly [string, readonly Statement[], readonly string[]])[] = [
  [
    "a plain view: its columns by name, its owner before its grants, and nothing that the server gave by itself",
    createStatements(aCapturedView(), context),
    [
      'CREATE VIEW "bi"."revenue" ("id") AS\nSELECT orders.id\n   FROM shop.orders',
      'ALTER VIEW "bi"."revenue" OWNER TO "bi_team"',
      'REVOKE ALL ON TABLE "bi"."revenue" FROM PUBLIC, "bi_team"',
      'GRANT SELECT ON TABLE "bi"."revenue" TO "bi_team"',
    ],
  ],
  [
    "a view with all that it can have",
    createStatements(
      aCapturedView('odd "v"', {
        options: ["check_option=cascaded", "security_barrier=true"],
        comment: "it's",
        labels: [{ provider: "p", label: "secret" }],
        columns: [
          aCapturedColumn("id", { defaultExpression: "1", comment: "key" }),
          aCapturedColumn("a.b", { grants: [aGrant("app", "UPDATE")], labels: [{ provider: "p", label: "c" }] }),
        ],
        grants: [
          aGrant("analyst", "SELECT", { grantor: "lead" }),
          aGrant("bi_team"),
          aGrant("lead", "SELECT", { grantable: true }),
        ],
        rowType: { comment: "row", grants: [aGrant("bi_team", "USAGE")], labels: [] },
      }),
      context,
    ),
    [
      'CREATE VIEW "bi"."odd ""v""" ("id", "a.b") WITH ("check_option" = \'cascaded\', "security_barrier" = \'true\') AS\nSELECT orders.id\n   FROM shop.orders',
      'ALTER VIEW "bi"."odd ""v""" ALTER COLUMN "id" SET DEFAULT 1',
      'ALTER VIEW "bi"."odd ""v""" OWNER TO "bi_team"',
      'REVOKE ALL ON TABLE "bi"."odd ""v""" FROM PUBLIC, "bi_team"',
      'GRANT UPDATE ("a.b") ON TABLE "bi"."odd ""v""" TO "app"',
      'GRANT SELECT ON TABLE "bi"."odd ""v""" TO "bi_team"',
      'GRANT SELECT ON TABLE "bi"."odd ""v""" TO "lead" WITH GRANT OPTION',
      'SET LOCAL ROLE "lead"',
      'GRANT SELECT ON TABLE "bi"."odd ""v""" TO "analyst"',
      'SET LOCAL ROLE "weir"',
      'REVOKE ALL ON TYPE "bi"."odd ""v""" FROM PUBLIC, "bi_team"',
      'GRANT USAGE ON TYPE "bi"."odd ""v""" TO "bi_team"',
      `COMMENT ON VIEW "bi"."odd ""v""" IS 'it''s'`,
      `SECURITY LABEL FOR "p" ON VIEW "bi"."odd ""v""" IS 'secret'`,
      `COMMENT ON COLUMN "bi"."odd ""v"""."id" IS 'key'`,
      `SECURITY LABEL FOR "p" ON COLUMN "bi"."odd ""v"""."a.b" IS 'c'`,
      `COMMENT ON TYPE "bi"."odd ""v""" IS 'row'`,
    ],
  ],
  [
    "what default privileges of the applying role would give away is taken away again",
    createStatements(aCapturedView("revenue", { owner: "weir", grants: [] }), leaking),
    [
      'CREATE VIEW "bi"."revenue" ("id") AS\nSELECT orders.id\n   FROM shop.orders',
      'REVOKE ALL ON TABLE "bi"."revenue" FROM PUBLIC, "app", "weir"',
      'REVOKE ALL ON TYPE "bi"."revenue" FROM PUBLIC, "app", "weir"',
      // Its grants are recorded as those of `bi_team`, who isn't the owner here.
      'SET LOCAL ROLE "bi_team"',
      'GRANT USAGE ON TYPE "bi"."revenue" TO PUBLIC',
      'GRANT USAGE ON TYPE "bi"."revenue" TO "bi_team"',
      'SET LOCAL ROLE "weir"',
    ],
  ],
  [
    "a materialized view: without rows, each setting of its columns, where it was stored",
    createStatements(
      aCapturedMaterializedView("daily", {
        columns: [
          aCapturedStoredColumn("id", { statisticsTarget: 0, options: ["n_distinct=-0.5"] }),
          aCapturedStoredColumn("note", { storage: "EXTERNAL", compression: "lz4" }),
        ],
        options: ["fillfactor=70"],
        toastOptions: ["autovacuum_enabled=false"],
        tablespace: "fast disk",
        replicaIdentity: "full",
        extensions: ["hstore"],
      }),
      context,
    ),
    [
      "SET LOCAL default_tablespace TO 'fast disk'",
      'CREATE MATERIALIZED VIEW "bi"."daily" ("id", "note") USING "heap" WITH ("fillfactor" = \'70\', "toast"."autovacuum_enabled" = \'false\') AS\nSELECT orders.id\n   FROM shop.orders\nWITH NO DATA',
      'ALTER MATERIALIZED VIEW "bi"."daily" ALTER COLUMN "id" SET STATISTICS 0, ALTER COLUMN "id" SET ("n_distinct" = \'-0.5\'), ALTER COLUMN "note" SET STORAGE EXTERNAL, ALTER COLUMN "note" SET COMPRESSION lz4, REPLICA IDENTITY FULL',
      'ALTER MATERIALIZED VIEW "bi"."daily" OWNER TO "bi_team"',
      'REVOKE ALL ON TABLE "bi"."daily" FROM PUBLIC, "bi_team"',
      'GRANT SELECT ON TABLE "bi"."daily" TO "bi_team"',
      'ALTER MATERIALIZED VIEW "bi"."daily" DEPENDS ON EXTENSION "hstore"',
    ],
  ],
  [
    "an index, in the database's own place whatever the session prefers",
    createStatements(
      aCapturedIndex("daily_id", {
        clustered: true,
        replicaIdentity: true,
        statisticsTargets: [{ column: 2, target: 500 }],
        comment: "by id",
        extensions: ["hstore"],
      }),
      context,
    ),
    [
      "SET LOCAL default_tablespace TO ''",
      "CREATE INDEX daily_id ON bi.daily USING btree (id)",
      'ALTER INDEX "bi"."daily_id" ALTER COLUMN 2 SET STATISTICS 500',
      'ALTER TABLE "bi"."daily" CLUSTER ON "daily_id"',
      'ALTER TABLE "bi"."daily" REPLICA IDENTITY USING INDEX "daily_id"',
      `COMMENT ON INDEX "bi"."daily_id" IS 'by id'`,
      'ALTER INDEX "bi"."daily_id" DEPENDS ON EXTENSION "hstore"',
    ],
  ],
  [
    "extended statistics",
    createStatements(aCapturedStatistics("daily_stats", { target: 0, comment: "s" }), context),
    [
      "CREATE STATISTICS bi.daily_stats ON id, day FROM bi.daily",
      'ALTER STATISTICS "bi"."daily_stats" SET STATISTICS 0',
      'ALTER STATISTICS "bi"."daily_stats" OWNER TO "bi_team"',
      `COMMENT ON STATISTICS "bi"."daily_stats" IS 's'`,
    ],
  ],
  [
    "a rule that was switched off",
    createStatements(aCapturedRule("quiet", { state: "disabled", comment: "c" }), context),
    [
      "CREATE RULE quiet AS\n    ON DELETE TO bi.orders DO INSTEAD NOTHING",
      'ALTER TABLE "bi"."orders" DISABLE RULE "quiet"',
      `COMMENT ON RULE "quiet" ON "bi"."orders" IS 'c'`,
    ],
  ],
  [
    "a trigger that always fires",
    createStatements(aCapturedTrigger("audit", { state: "always", extensions: ["hstore"] }), context),
    [
      "CREATE TRIGGER audit AFTER INSERT ON bi.orders FOR EACH ROW EXECUTE FUNCTION bi.audit()",
      'ALTER TABLE "bi"."orders" ENABLE ALWAYS TRIGGER "audit"',
      'ALTER TRIGGER "audit" ON "bi"."orders" DEPENDS ON EXTENSION "hstore"',
    ],
  ],
  [
    "a policy",
    createStatements(
      aCapturedPolicy("known", { permissive: false, command: "UPDATE", roles: ["app", "PUBLIC"], check: "(id > 1)" }),
      context,
    ),
    [
      'CREATE POLICY "known" ON "bi"."orders" AS RESTRICTIVE FOR UPDATE TO "app", PUBLIC USING ((id > 0)) WITH CHECK ((id > 1))',
    ],
  ],
  [
    "a default, of that table alone",
    createStatements(aCapturedDefault(), context),
    ['ALTER TABLE ONLY "bi"."orders" ALTER COLUMN "total" SET DEFAULT bi.largest()'],
  ],
  [
    "a check",
    createStatements(aCapturedCheck("positive", { comment: "c" }), context),
    [
      'ALTER TABLE "bi"."orders" ADD CONSTRAINT "positive" CHECK ((total > bi.largest()))',
      `COMMENT ON CONSTRAINT "positive" ON "bi"."orders" IS 'c'`,
    ],
  ],
  [
    "a function, which replaces none, and whose body may name what isn't there",
    createStatements(aCapturedFunction(), leaking),
    [
      "SET LOCAL check_function_bodies TO off",
      "CREATE FUNCTION bi.largest()\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n SELECT 1;\nEND",
      "SET LOCAL check_function_bodies TO DEFAULT",
      'ALTER FUNCTION bi.largest() OWNER TO "bi_team"',
      'REVOKE ALL ON FUNCTION bi.largest() FROM PUBLIC, "app", "bi_team"',
      "GRANT EXECUTE ON FUNCTION bi.largest() TO PUBLIC",
      'GRANT EXECUTE ON FUNCTION bi.largest() TO "bi_team"',
    ],
  ],
];

describe("made again", () => {
  test.each(created)("%s", (_, statements, expected) => {
    expect(texts(statements)).toEqual(expected);
  });

  test("rows are filled in by themselves, without a limit of time, only where there were any", () => {
    const filled = refreshStatements(aCapturedMaterializedView(), timeouts);
    expect(texts(filled)).toEqual(['REFRESH MATERIALIZED VIEW "bi"."daily"', 'ANALYZE "bi"."daily"']);
    expect(filled.map((statement) => statement.statementTimeoutMs)).toEqual([0, 0]);
    expect(refreshStatements(aCapturedMaterializedView("daily", { populated: false }), timeouts)).toEqual([]);
  });

  test("a grant waits for the option that it rests on, however long the chain", () => {
    const passedOn = (grantor: string, grantee: string) => aGrant(grantee, "SELECT", { grantor, grantable: true });
    const grants = [passedOn("c", "d"), passedOn("b", "c"), passedOn("a", "b"), passedOn("bi_team", "a")];
    const statements = texts(createStatements(aCapturedView("revenue", { grants }), context));
    expect(statements.filter((sql) => /GRANT|ROLE/.test(sql))).toEqual([
      'GRANT SELECT ON TABLE "bi"."revenue" TO "a" WITH GRANT OPTION',
      ...["a", "b", "c"].flatMap((role, index) => [
        `SET LOCAL ROLE "${role}"`,
        `GRANT SELECT ON TABLE "bi"."revenue" TO "${["b", "c", "d"][index]}" WITH GRANT OPTION`,
      ]),
      'SET LOCAL ROLE "weir"',
    ]);
  });
});

describe("dropped", () => {
  test("one object each, RESTRICT, waited for briefly", () => {
    const statements = everything.flatMap((each) => dropStatements(each, timeouts));
    expect(texts(statements)).toEqual([
      'DROP VIEW "bi"."revenue" RESTRICT',
      'DROP MATERIALIZED VIEW "bi"."daily" RESTRICT',
      'DROP INDEX "bi"."daily_id" RESTRICT',
      'DROP STATISTICS "bi"."daily_stats" RESTRICT',
      'DROP RULE "quiet" ON "bi"."orders" RESTRICT',
      'DROP TRIGGER "audit" ON "bi"."orders" RESTRICT',
      'DROP POLICY "known" ON "bi"."orders" RESTRICT',
      'ALTER TABLE ONLY "bi"."orders" ALTER COLUMN "total" DROP DEFAULT',
      'ALTER TABLE "bi"."orders" DROP CONSTRAINT "positive" RESTRICT',
      "DROP FUNCTION bi.largest() RESTRICT",
    ]);
    for (const statement of statements) expect(statement.lockTimeoutMs).toBe(timeouts.readersLockMs);
  });

  test("nothing that is rendered asks for more than is named", () => {
    const all = everything.flatMap((each) => [
      ...holdStatements(each, "dropped", timeouts),
      ...dropStatements(each, timeouts),
      ...createStatements(each, leaking),
      ...(isRebindable(each) ? rebindStatements(each, timeouts) : []),
    ]);
    // Readers are kept out by now: whatever has to wait, gives up soon.
    for (const { sql, lockTimeoutMs } of all) expect([sql, lockTimeoutMs]).toEqual([sql, timeouts.readersLockMs]);
    expect(texts(all).filter((sql) => /\bCASCADE\b/i.test(sql))).toEqual([]);
  });
});

describe("pointed elsewhere in place", () => {
  test("what the server can replace", () => {
    const rebindable = [
      aCapturedView("revenue", { options: ["security_barrier=true"] }),
      aCapturedRule("quiet", { state: "disabled" }),
      aCapturedTrigger("audit", { state: "replica", extensions: ["hstore"] }),
      aCapturedPolicy("known", { check: "(id > 1)" }),
      aCapturedDefault(),
      aCapturedFunction("largest", { extensions: ["hstore"] }),
    ];
    expect(texts(rebindable.flatMap((each) => rebindStatements(each, timeouts)))).toEqual([
      'CREATE OR REPLACE VIEW "bi"."revenue" ("id") WITH ("security_barrier" = \'true\') AS\nSELECT orders.id\n   FROM shop.orders',
      "CREATE OR REPLACE RULE quiet AS\n    ON DELETE TO bi.orders DO INSTEAD NOTHING",
      'ALTER TABLE "bi"."orders" DISABLE RULE "quiet"',
      "CREATE OR REPLACE TRIGGER audit AFTER INSERT ON bi.orders FOR EACH ROW EXECUTE FUNCTION bi.audit()",
      'ALTER TABLE "bi"."orders" ENABLE REPLICA TRIGGER "audit"',
      'ALTER TRIGGER "audit" ON "bi"."orders" DEPENDS ON EXTENSION "hstore"',
      'ALTER POLICY "known" ON "bi"."orders" USING ((id > 0)) WITH CHECK ((id > 1))',
      'ALTER TABLE ONLY "bi"."orders" ALTER COLUMN "total" SET DEFAULT bi.largest()',
      "SET LOCAL check_function_bodies TO off",
      "CREATE OR REPLACE FUNCTION bi.largest()\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n SELECT 1;\nEND",
      "SET LOCAL check_function_bodies TO DEFAULT",
      'ALTER FUNCTION bi.largest() DEPENDS ON EXTENSION "hstore"',
    ]);
  });

  test("and what it can't", () => {
    const late = "CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON bi.orders FOR EACH ROW EXECUTE FUNCTION bi.audit()";
    const others = [aCapturedTrigger("audit", { definition: late }), aCapturedFunction("f", { usesRowType: true })];
    expect([...everything, ...others].filter((each) => !isRebindable(each)).map((each) => each.kind)).toEqual([
      ...["materialized_view", "index", "statistics", "check"],
      ...["trigger", "function"],
    ]);
  });
});

describe("the view itself", () => {
  test("what it carried is put on the columns that are still there", () => {
    const on = (name: string) =>
      aCapturedColumn(name, { grants: [aGrant("app")], comment: name, defaultExpression: "1" });
    const old = aCapturedView("revenue", { columns: [on("gone"), on("kept")] });
    expect(texts(restoreRootStatements(old, ["new", "kept"], context))).toEqual([
      'ALTER VIEW "bi"."revenue" ALTER COLUMN "kept" SET DEFAULT 1',
      'ALTER VIEW "bi"."revenue" OWNER TO "bi_team"',
      'REVOKE ALL ON TABLE "bi"."revenue" FROM PUBLIC, "bi_team"',
      'GRANT SELECT ("kept") ON TABLE "bi"."revenue" TO "app"',
      'GRANT SELECT ON TABLE "bi"."revenue" TO "bi_team"',
      `COMMENT ON COLUMN "bi"."revenue"."kept" IS 'kept'`,
    ]);
  });

  test("stands aside under a name that fits, and is dropped when nothing is left on it", () => {
    const long = { schema: "bi", name: "x".repeat(63) };
    const aside = asideView(long);
    expect(byteLength(aside.name)).toBeLessThanOrEqual(63);
    expect(asideView({ schema: "bi", name: "y" }).name).not.toBe(aside.name);
    expect(texts([...setAsideStatements(long, timeouts), ...dropAsideStatements(long, timeouts)])).toEqual([
      `ALTER VIEW "bi"."${long.name}" RENAME TO "${aside.name}"`,
      `DROP VIEW "bi"."${aside.name}" RESTRICT`,
    ]);
  });
});
