import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { compareText } from "../../server/core/base/relation-name.ts";
import type { Captured, CapturedMaterializedView, CapturedView, Captures } from "../../server/core/catalog/captured.ts";
import type { Closure, ClosureMember } from "../../server/core/catalog/catalog.ts";
import { refreshStatements } from "../../server/core/engine/postgres/restore/create-materialized-view.ts";
import { createStatements } from "../../server/core/engine/postgres/restore/create-object.ts";
import { dropStatements } from "../../server/core/engine/postgres/restore/drop-object.ts";
import { holdStatements } from "../../server/core/engine/postgres/restore/hold-object.ts";
import { isRebindable, rebindStatements } from "../../server/core/engine/postgres/restore/rebind-object.ts";
import type { RestoreContext } from "../../server/core/engine/postgres/restore/restore-context.ts";
import { restoreRootStatements } from "../../server/core/engine/postgres/restore/restore-root.ts";
import { makeTimeouts } from "../../server/core/engine/postgres/statement.ts";
import type { Statement } from "../../server/core/plan/action.ts";
import { objectKey } from "../../server/core/plan/dependents.ts";
import { readCaptures } from "../../server/engine/postgres/capture/read-captures.ts";
import type { RunQuery } from "../../server/engine/postgres/query.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { compareSnapshots, takeSnapshot } from "./catalog-snapshot.ts";
import { connectionTo } from "./connection.ts";
import { asRole, createDatabase, type TestDatabase } from "./database.ts";
import { buildRestoreZoo, createZooRoles, type ZooRoles } from "./restore-zoo.ts";

const ROOT = { schema: "zoo", name: "root" } as const;
const ROOT_OBJECT = { ...ROOT, type: "view" } as const;
const timeouts = makeTimeouts(1_000);
const SAME = { lost: [], added: [] };

/** Small ones, each of another side of some object. */
const CHANGES: readonly string[] = [
  "GRANT SELECT (n) ON zoo.deeper TO PUBLIC",
  "REVOKE GRANT OPTION FOR INSERT (name) ON zoo.root FROM PUBLIC; GRANT UPDATE ON zoo.root TO CURRENT_USER",
  "ALTER VIEW zoo.root SET (security_barrier = false)",
  "ALTER VIEW zoo.root ALTER COLUMN amount DROP DEFAULT",
  'COMMENT ON RULE "quiet on" ON zoo.root IS NULL',
  "COMMENT ON TYPE zoo.mv IS NULL",
  "GRANT USAGE ON TYPE zoo.deeper TO CURRENT_USER WITH GRANT OPTION; REVOKE USAGE ON TYPE zoo.deeper FROM PUBLIC",
  'ALTER TABLE zoo.hosts ENABLE RULE "copies ""on"""',
  'ALTER TABLE zoo.hosts ENABLE TRIGGER "when"',
  'ALTER TRIGGER "when" ON zoo.hosts NO DEPENDS ON EXTENSION plpgsql',
  "ALTER MATERIALIZED VIEW zoo.mv ALTER COLUMN name SET STATISTICS -1",
  "ALTER MATERIALIZED VIEW zoo.mv ALTER COLUMN id RESET (n_distinct)",
  "ALTER MATERIALIZED VIEW zoo.mv RESET (toast.autovacuum_enabled)",
  "ALTER MATERIALIZED VIEW zoo.mv SET WITHOUT CLUSTER",
  "ALTER INDEX zoo.mv_lower ALTER COLUMN 2 SET STATISTICS 124",
  "ALTER MATERIALIZED VIEW zoo.empty REPLICA IDENTITY DEFAULT",
  "REFRESH MATERIALIZED VIEW zoo.empty",
  'ALTER STATISTICS "Odd ""S"" on"."mv on stats" SET STATISTICS -1',
  "ALTER FUNCTION zoo.rows_of_root(integer) ROWS 8",
  "ALTER POLICY everybody ON zoo.hosts TO CURRENT_USER",
  'ALTER TABLE zoo.hosts VALIDATE CONSTRAINT "small on"',
  'CREATE OR REPLACE VIEW zoo.on_function AS SELECT f.id, f.id::text COLLATE pg_catalog."C" AS name FROM zoo.rows_of_root(3) f',
];

describe("what is dropped and made again is as it was", () => {
  let database: TestDatabase;
  let roles: ZooRoles;
  let admin: pg.Client;
  let applier: pg.Client;
  let closure: Closure;

  beforeAll(async () => {
    database = await createDatabase("restore");
    roles = await createZooRoles(database);
    admin = new pg.Client(database);
    await admin.connect();
    await buildRestoreZoo(admin, roles);
    const warehouse = await openWarehouse(connectionTo(database));
    const request = { project: "p", environment: "prod", schemas: [], relations: [], closures: [ROOT] };
    closure = (await warehouse.readCatalog(request)).closures[0] as Closure;
    await warehouse.close();
    applier = new pg.Client(asRole(database, roles.applier));
    await applier.connect();
  });
  afterAll(async () => {
    await applier.end();
    await admin.end();
  });
  beforeEach(async () => {
    await applier.query("BEGIN; SET LOCAL search_path TO ''");
  });
  afterEach(async () => {
    await applier.query("ROLLBACK");
  });

  const run: RunQuery = async (query) => (await applier.query(query.text, [...query.values])).rows;

  function units(): readonly ClosureMember[] {
    const of = closure.members.filter((member) => member.treatment === "unit");
    return [...of].sort((a, b) => a.depth - b.depth || compareText(objectKey(a.object), objectKey(b.object)));
  }

  async function capture(): Promise<Captures> {
    return await readCaptures(run, [ROOT_OBJECT, ...units().map((member) => member.object)]);
  }

  /** Root first. */
  function inOrder({ objects }: Captures): readonly Captured[] {
    const byKey = new Map(objects.map((each) => [objectKey(each.object), each]));
    return [ROOT_OBJECT, ...units().map((member) => member.object)].map(
      (object) => byKey.get(objectKey(object)) as Captured,
    );
  }

  function contextOf(captures: Captures): RestoreContext {
    return { role: roles.applier.name, defaultGrantees: captures.defaultGrantees, timeouts };
  }

  async function execute(statements: readonly Statement[]): Promise<void> {
    for (const { sql } of statements) {
      await applier.query(sql).catch((error: unknown) => {
        throw new Error(`${String(error)} in: ${sql}`);
      });
    }
  }

  const isMaterialized = (each: Captured): each is CapturedMaterializedView => each.kind === "materialized_view";

  test("the zoo has every kind, and each can be captured", async () => {
    expect(closure.members.filter((member) => member.treatment === "blocked")).toEqual([]);
    const captures = await capture();
    expect([...new Set(captures.objects.map((each) => each.kind))].sort()).toEqual([
      ...["check", "default", "function", "index", "materialized_view", "policy", "rule", "statistics", "trigger"],
      "view",
    ]);
    expect(captures.objects).toHaveLength(units().length + 1);
    expect(captures.rights.filter((each) => !(each.mayAlter && each.mayGiveBack && each.roleMayCreate))).toEqual([]);
  });

  test("a whole closure, by a role that is no superuser", async () => {
    const [before, captures] = [await takeSnapshot(applier), await capture()];
    const objects = inOrder(captures);
    const leafFirst = [...objects].reverse();
    await execute(leafFirst.flatMap((each) => holdStatements(each, "dropped", timeouts)));
    const held = compareSnapshots(before, await takeSnapshot(applier));
    await execute(leafFirst.flatMap((each) => dropStatements(each, timeouts)));
    await execute(objects.flatMap((each) => createStatements(each, contextOf(captures))));
    await execute(objects.filter(isMaterialized).flatMap((each) => refreshStatements(each, timeouts)));
    expect(held).toEqual(SAME);
    expect(compareSnapshots(before, await takeSnapshot(applier))).toEqual(SAME);
    expect(withoutSize(await capture())).toEqual(withoutSize(captures));
  });

  test("in place, where the server can replace: nothing is written that wasn't so before", async () => {
    const [before, captures] = [await takeSnapshot(applier), await capture()];
    const rebindable = inOrder(captures).filter(isRebindable);
    await execute([...rebindable].reverse().flatMap((each) => holdStatements(each, "stays", timeouts)));
    await execute(rebindable.flatMap((each) => rebindStatements(each, timeouts)));
    expect(compareSnapshots(before, await takeSnapshot(applier))).toEqual(SAME);
    expect(new Set(rebindable.map((each) => each.kind)).size).toBe(6);
  });

  test("what a view carried, on the new one of its name", async () => {
    const [before, captures] = [await takeSnapshot(applier), await capture()];
    const objects = inOrder(captures);
    const root = objects[0] as CapturedView;
    await execute([...objects].reverse().flatMap((each) => dropStatements(each, timeouts)));
    await applier.query(
      `CREATE VIEW zoo.root WITH (security_barrier = true, check_option = 'local') AS ${root.definition}`,
    );
    const columns = ["id", "name", "amount", "big"];
    await execute(restoreRootStatements(root, columns, contextOf(captures)));
    await execute(objects.slice(1).flatMap((each) => createStatements(each, contextOf(captures))));
    await execute(objects.filter(isMaterialized).flatMap((each) => refreshStatements(each, timeouts)));
    expect(compareSnapshots(before, await takeSnapshot(applier))).toEqual(SAME);
  });

  test("whoever compares them would see it", async () => {
    const before = await takeSnapshot(applier);
    for (const change of CHANGES) {
      await applier.query(`SAVEPOINT change; ${change}`);
      expect({ change, seen: compareSnapshots(before, await takeSnapshot(applier)) }).not.toEqual({
        change,
        seen: SAME,
      });
      await applier.query("ROLLBACK TO change");
    }
  });

  function withoutSize(captures: Captures) {
    return captures.objects.map((each) => (isMaterialized(each) ? { ...each, bytes: 0, estimatedRows: 0 } : each));
  }
});
