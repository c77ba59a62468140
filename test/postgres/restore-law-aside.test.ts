import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareText } from "../../server/core/base/relation-name.ts";
import type { Captured, CapturedView, Captures } from "../../server/core/catalog/captured.ts";
import { differingAspects } from "../../server/core/catalog/captured-aspects.ts";
import type { ClosureMember, ObjectName } from "../../server/core/catalog/catalog.ts";
import { createStatements } from "../../server/core/engine/postgres/restore/create-object.ts";
import { holdStatements } from "../../server/core/engine/postgres/restore/hold-object.ts";
import { isRebindable, rebindStatements } from "../../server/core/engine/postgres/restore/rebind-object.ts";
import { restoreRootStatements } from "../../server/core/engine/postgres/restore/restore-root.ts";
import { dropAsideStatements, setAsideStatements } from "../../server/core/engine/postgres/restore/set-aside.ts";
import { makeTimeouts } from "../../server/core/engine/postgres/statement.ts";
import { createVirtualViewStatements } from "../../server/core/engine/postgres/virtual-view.ts";
import type { Statement } from "../../server/core/plan/action.ts";
import { objectKey } from "../../server/core/plan/dependents.ts";
import { readCaptures } from "../../server/engine/postgres/capture/read-captures.ts";
import type { RunQuery } from "../../server/engine/postgres/query.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { connectionTo } from "./connection.ts";
import { asRole, createDatabase, createRole, type TestRole } from "./database.ts";

const ROOT = { schema: "bi", name: 'the "root"' } as const;
const ROOT_OBJECT: ObjectName = { ...ROOT, type: "view" };
const timeouts = makeTimeouts(1_000);

/** A view in front of a table, what hangs on it directly, of each kind that can be replaced in place, and below that. */
function zooSql(owner: string, reader: string, applier: string): string {
  return `
    CREATE SCHEMA bi;
    GRANT ALL ON SCHEMA bi TO ${owner}, ${applier};
    GRANT USAGE ON SCHEMA bi TO ${reader};
    ALTER DEFAULT PRIVILEGES FOR ROLE ${applier} GRANT ALL ON TABLES TO ${reader};
    SET search_path = '';
    CREATE TABLE bi.old (id integer, extra integer, name text, amount numeric);
    INSERT INTO bi.old VALUES (1, 7, 'a', 1), (2, 8, 'b', 2);
    CREATE TABLE bi.next (name text, amount numeric, id integer);
    INSERT INTO bi.next SELECT name, amount, id FROM bi.old;
    GRANT ALL ON bi.old, bi.next TO ${owner} WITH GRANT OPTION;

    CREATE VIEW bi."the ""root""" WITH (security_barrier = true) AS SELECT id, extra, name, amount FROM bi.old;
    ALTER VIEW bi."the ""root""" OWNER TO ${owner};
    ALTER VIEW bi."the ""root""" ALTER COLUMN name SET DEFAULT 'none';
    GRANT SELECT ON bi."the ""root""" TO ${reader} WITH GRANT OPTION;
    GRANT UPDATE (name, extra) ON bi."the ""root""" TO ${reader};
    COMMENT ON VIEW bi."the ""root""" IS 'root';
    COMMENT ON COLUMN bi."the ""root""".amount IS 'money';
    COMMENT ON COLUMN bi."the ""root""".extra IS 'goes';
    CREATE FUNCTION bi.fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER instead INSTEAD OF INSERT ON bi."the ""root""" FOR EACH ROW EXECUTE FUNCTION bi.fires();
    CREATE RULE quiet AS ON DELETE TO bi."the ""root""" DO INSTEAD NOTHING;
    COMMENT ON RULE quiet ON bi."the ""root""" IS 'no deletes';

    CREATE VIEW bi.direct WITH (security_barrier = true, check_option = 'local') AS
      SELECT id, name AS label FROM bi."the ""root""" r WHERE amount > 0;
    ALTER VIEW bi.direct OWNER TO ${owner};
    ALTER VIEW bi.direct ALTER COLUMN label SET DEFAULT 'x';
    GRANT SELECT (id) ON bi.direct TO ${reader};
    COMMENT ON COLUMN bi.direct.label IS 'label';
    CREATE TRIGGER kept INSTEAD OF UPDATE ON bi.direct FOR EACH ROW EXECUTE FUNCTION bi.fires();
    CREATE VIEW bi.deeper AS SELECT d.label FROM bi.direct d;
    CREATE MATERIALIZED VIEW bi.stored AS SELECT id, label FROM bi.direct;
    CREATE INDEX stored_id ON bi.stored (id);
    CREATE FUNCTION bi.largest() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER SET search_path = bi
      BEGIN ATOMIC SELECT pg_catalog.max(id) FROM bi."the ""root"""; END;
    ALTER FUNCTION bi.largest() OWNER TO ${owner};
    REVOKE ALL ON FUNCTION bi.largest() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION bi.largest() TO ${reader};
    COMMENT ON FUNCTION bi.largest() IS 'largest';
    ALTER FUNCTION bi.largest() DEPENDS ON EXTENSION plpgsql;
    CREATE TABLE bi.hosts (id integer DEFAULT bi.largest(), seen text DEFAULT 'bi."the ""root"""'::pg_catalog.regclass::text);
    CREATE POLICY known ON bi.hosts FOR UPDATE TO ${reader}
      USING (id IN (SELECT id FROM bi."the ""root""")) WITH CHECK (id IN (SELECT r.id FROM bi."the ""root""" r));
    COMMENT ON POLICY known ON bi.hosts IS 'known';
    CREATE RULE copies AS ON INSERT TO bi.hosts DO ALSO SELECT id FROM bi."the ""root""";
    ALTER TABLE bi.hosts DISABLE RULE copies;
    COMMENT ON RULE copies ON bi.hosts IS 'copies';
    ALTER TABLE bi.hosts OWNER TO ${owner};
    ALTER VIEW bi.deeper OWNER TO ${owner};
    ALTER MATERIALIZED VIEW bi.stored OWNER TO ${owner};`;
}

describe("a view gives its place to another, and what hangs on it is pointed there", () => {
  let admin: pg.Client;
  let applier: pg.Client;
  let role: TestRole;
  let members: readonly ClosureMember[];

  beforeAll(async () => {
    const database = await createDatabase("aside");
    const owner = await createRole(database, "own er", "NOLOGIN");
    const reader = await createRole(database, 'rea"der', "NOLOGIN");
    role = await createRole(database, "applier");
    const [quotedOwner, quotedReader, quotedRole] = [owner, reader, role].map(({ name }) =>
      pg.escapeIdentifier(name),
    ) as [string, string, string];
    admin = new pg.Client(database);
    await admin.connect();
    await admin.query(`GRANT ${quotedOwner} TO ${quotedRole}`);
    await admin.query(zooSql(quotedOwner, quotedReader, quotedRole));
    const warehouse = await openWarehouse(connectionTo(database));
    const request = { project: "p", environment: "prod", schemas: [], relations: [], closures: [ROOT] };
    members = (await warehouse.readCatalog(request)).closures[0]?.members ?? [];
    await warehouse.close();
    applier = new pg.Client(asRole(database, role));
    await applier.connect();
  });
  afterAll(async () => {
    await applier.end();
    await admin.end();
  });

  const run: RunQuery = async (query) => (await applier.query(query.text, [...query.values])).rows;

  const units = (): readonly ClosureMember[] =>
    members
      .filter((member) => member.treatment === "unit")
      .sort((a, b) => a.depth - b.depth || compareText(objectKey(a.object), objectKey(b.object)));

  async function capture(): Promise<Captures> {
    return await readCaptures(run, [ROOT_OBJECT, ...units().map((member) => member.object)]);
  }

  async function execute(statements: readonly Statement[]): Promise<void> {
    for (const { sql } of statements) {
      await applier.query(sql).catch((error: unknown) => {
        throw new Error(`${String(error)} in: ${sql}`);
      });
    }
  }

  async function identities(): Promise<unknown> {
    const { rows } = await applier.query(`
      SELECT relname::text AS name, oid, relfilenode FROM pg_catalog.pg_class WHERE relnamespace = 'bi'::regnamespace
       UNION ALL SELECT proname::text, oid, 0 FROM pg_catalog.pg_proc WHERE pronamespace = 'bi'::regnamespace
       UNION ALL SELECT polname::text, oid, 0 FROM pg_catalog.pg_policy
       ORDER BY 1`);
    return rows.filter((row) => row.name !== ROOT.name);
  }

  test("with other columns in another order, by a role that is no superuser; the others stay who they are", async () => {
    await applier.query("BEGIN; SET LOCAL search_path TO ''");
    const captures = await capture();
    const byKey = new Map(captures.objects.map((each) => [objectKey(each.object), each]));
    const of = (object: ObjectName): Captured => byKey.get(objectKey(object)) as Captured;
    const root = of(ROOT_OBJECT) as CapturedView;
    const onRoot = (each: Captured): boolean => "on" in each && each.on.name === ROOT.name;
    const direct = units()
      .filter((member) => member.depth === 1)
      .map((member) => of(member.object));
    const own = direct.filter(onRoot);
    const rebound = direct.filter((each) => !onRoot(each)).filter(isRebindable);
    expect(own.map((each) => each.kind).sort()).toEqual(["default", "rule", "trigger"]);
    expect(rebound.map((each) => each.kind).sort()).toEqual(["default", "function", "policy", "rule", "view"]);
    expect(rebound.length + own.length).toBe(direct.length);
    const before = await identities();
    const context = { role: role.name, defaultGrantees: captures.defaultGrantees, timeouts };
    const served = ["amount", "id", "name"];

    await execute([...rebound].reverse().flatMap((each) => holdStatements(each, "stays", timeouts)));
    await execute(holdStatements(root, "dropped", timeouts));
    expect(differences(captures, await capture())).toEqual([]);
    await execute(setAsideStatements(ROOT, timeouts));
    const physical = { schema: "bi", name: "next" };
    await execute(createVirtualViewStatements({ view: ROOT, served, options: root.options, physical }, timeouts));
    await execute(restoreRootStatements(root, served, context));
    await execute(rebound.flatMap((each) => rebindStatements(each, timeouts)));
    // A view's defaults are members of their own, and also what it carries: once is enough.
    const again = own.filter((each) => each.kind !== "default");
    await execute(again.flatMap((each) => createStatements(each, context)));
    await execute(dropAsideStatements(ROOT, timeouts));

    const after = await capture();
    expect(differences(captures, after)).toEqual([
      { object: ROOT_OBJECT, differs: ["definition", "columns", "grants", "comments"] },
    ]);
    const [was, is] = [root, after.objects.find((each) => each.object.name === ROOT.name) as CapturedView];
    const surviving = (view: CapturedView) =>
      view.columns.filter(({ name }) => name !== "extra").sort((a, b) => compareText(a.name, b.name));
    const bare = (view: CapturedView) => ({ ...view, definition: "", columns: surviving(view) });
    expect(bare(is)).toEqual(bare(was));
    expect(await identities()).toEqual(before);
    await applier.query("COMMIT");
    expect((await applier.query("SELECT label FROM bi.deeper ORDER BY label")).rows).toEqual([
      { label: "a" },
      { label: "b" },
    ]);
    expect((await applier.query("SELECT bi.largest()")).rows).toEqual([{ largest: 2 }]);
    const left = await admin.query("SELECT FROM pg_catalog.pg_class WHERE relname LIKE '\\_\\_weir%'");
    expect(left.rowCount).toBe(0);
    // Nothing reads the old table any more.
    await admin.query("DROP TABLE bi.old RESTRICT");
  });

  test("what was forgotten makes the server refuse to drop the old one", async () => {
    await applier.query("BEGIN; SET LOCAL search_path TO ''");
    await execute(setAsideStatements(ROOT, timeouts));
    await expect(execute(dropAsideStatements(ROOT, timeouts))).rejects.toThrow("other objects depend on it");
    await applier.query("ROLLBACK");
  });

  function differences(before: Captures, after: Captures) {
    const now = new Map(after.objects.map((each) => [objectKey(each.object), each]));
    return before.objects.flatMap((each) => {
      const other = now.get(objectKey(each.object));
      const differs = other === undefined ? ["gone"] : differingAspects(each, other);
      return differs.length === 0 ? [] : [{ object: each.object, differs }];
    });
  }
});
