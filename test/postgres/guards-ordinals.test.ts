import { describe, expect, test } from "vitest";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import { aStep, aTransaction } from "../builders/write-transaction.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("ordinals");

/** Three columns of one type: read in another order, nothing but the values tells. */
const SOURCES = `
  CREATE TABLE shop.numbers (a integer, b integer, c integer);
  INSERT INTO shop.numbers VALUES (1, 2, 3), (4, 5, 6);
  CREATE TABLE shop.other (a integer, x integer);
  INSERT INTO shop.other VALUES (1, 10), (2, 20), (3, 30), (4, 40);
  CREATE VIEW shop.n AS SELECT a, b, c FROM shop.numbers;
  CREATE FUNCTION shop.rows_of_n() RETURNS SETOF shop.n LANGUAGE sql AS 'SELECT * FROM shop.n';`;

/** The same view with its columns the other way round. */
const TURNED = "CREATE VIEW shop.n AS SELECT c, b, a FROM shop.numbers";

const view = { schema: "shop", name: "n" };
const d: ObjectName = { schema: "bi", name: "d", type: "view" };

async function check(...dependents: readonly ObjectName[]): Promise<readonly string[]> {
  const guard = { kind: "ordinals", view, dependents } as const;
  const run = world.warehouse.runTransaction(aTransaction(world.fences, [aStep(guard)]));
  const failed = await run.then(() => null).catch(() => faultOf(run));
  if (failed !== null) expect(failed.kind).toBe("used_by_place");
  return failed?.details ?? [];
}

async function rowsOf(name: string): Promise<unknown> {
  return world.value(`SELECT array_agg(r::text ORDER BY r::text) FROM ${name} AS r`);
}

/** What becomes of `bi.d` when its text is read again over the turned columns; null where that fails. */
async function rowsWhenTurned(): Promise<unknown> {
  const [captured] = (await world.warehouse.readCaptures([d])).objects;
  if (captured?.kind !== "view") throw new Error("not captured");
  const columns = captured.columns.map((column) => `"${column.name}"`).join(", ");
  await world.client.query(`BEGIN; DROP VIEW bi.d; DROP FUNCTION shop.rows_of_n(); DROP VIEW shop.n; ${TURNED};
    CREATE FUNCTION shop.rows_of_n() RETURNS SETOF shop.n LANGUAGE sql AS 'SELECT * FROM shop.n'`);
  try {
    await world.client.query(`CREATE VIEW bi.d (${columns}) AS ${captured.definition}`);
    return await rowsOf("bi.d");
  } catch {
    return null;
  } finally {
    await world.client.query("ROLLBACK");
  }
}

async function columnsOfN(): Promise<unknown> {
  return world.value(
    "SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'shop.n'::regclass",
  );
}

describe("the ordinals guard", () => {
  test.each([
    ["names", "SELECT n.c, n.a FROM shop.n"],
    ["names under an alias", "SELECT q.c AS x FROM shop.n AS q WHERE q.b > 0 ORDER BY q.a"],
    ["a count of all rows", "SELECT count(*) AS rows FROM shop.n"],
    ["a CTE", "WITH z AS (SELECT a, b FROM shop.n) SELECT b FROM z"],
    ["a CTE with a list of its own", "WITH z (p, q) AS (SELECT a, b FROM shop.n) SELECT q FROM z"],
    ["a star, which the server spells out", "SELECT * FROM shop.n"],
    ["a star in a subquery with a list of its own", "SELECT q.y FROM (SELECT * FROM shop.n) AS q (x, y)"],
    [
      "a lateral subquery",
      "SELECT n.a, l.s FROM shop.n, LATERAL (SELECT n.b + o.x AS s FROM shop.other o WHERE o.a = n.a) l",
    ],
    ["a self join", "SELECT p.a, q.b FROM shop.n AS p JOIN shop.n AS q ON p.a = q.a"],
    ["a join with USING", "SELECT a, n.c, o.x FROM shop.n JOIN shop.other AS o USING (a)"],
    ["a full join with USING", "SELECT a, n.c FROM shop.n FULL JOIN shop.other AS o USING (a)"],
    ["a natural join", "SELECT n.b, x FROM shop.n NATURAL JOIN shop.other"],
    ["a natural self join", "SELECT p.b FROM shop.n AS p NATURAL JOIN shop.n AS q"],
    ["USING next to the view itself", "SELECT o.a, m.b FROM shop.n JOIN shop.other AS o USING (a), shop.n AS m"],
    ["a union", "SELECT a, b FROM shop.n UNION ALL SELECT b, c FROM shop.n"],
    ["EXISTS", "SELECT 1 AS one WHERE EXISTS (SELECT * FROM shop.n WHERE a = 1)"],
    ["an aggregate, a window, a filter", "SELECT sum(a) FILTER (WHERE b > 2) AS s, max(c) AS m FROM shop.n GROUP BY b"],
    ["a list of values beside it", "SELECT n.a FROM shop.n, (VALUES (2, 1)) AS k (m, o) WHERE n.b = k.m"],
    ["a row made of columns", "SELECT ROW(a, b)::text AS r FROM shop.n"],
    ["whole rows of something else", "SELECT o::text AS r FROM shop.other AS o JOIN shop.n USING (a)"],
  ])("clears %s, rightly", async (_what, query) => {
    await world.client.query(`${SOURCES} CREATE VIEW bi.d AS ${query}`);
    const before = await rowsOf("bi.d");
    expect(await check(d)).toEqual([]);
    expect(await rowsWhenTurned()).toEqual(before);
    expect(await columnsOfN()).toEqual(["a", "b", "c"]);
    expect(await rowsOf("bi.d")).toEqual(before);
  });

  const calls = (list: string): string => `it calls them ${list}`;
  const rows = "it is built on the type of its rows";

  test.each([
    ["a list of all columns", "SELECT q.x FROM shop.n AS q (x, y, z)", calls("q(x, y, z)")],
    ["a list of the first columns", "SELECT q.x FROM shop.n AS q (x)", calls("q(x, b, c)")],
    ["a column that keeps its name in such a list", "SELECT q.c FROM shop.n AS q (x)", calls("q(x, b, c)")],
    [
      "a self join that has names for all and a list as well",
      "SELECT p.a, p.b, p.c, q.x FROM shop.n AS p JOIN shop.n AS q (x, y, z) ON p.a = q.x",
      calls("q(x, y, z)"),
    ],
    [
      "a join with a list",
      "SELECT j.p, m.a, m.b, m.c FROM (shop.n JOIN shop.other AS o ON n.a = o.a) AS j (p, q), shop.n AS m",
      calls("j(p, q, c, a, x)"),
    ],
    ["a list in a subquery", "SELECT 1 AS one WHERE 1 IN (SELECT q.x FROM shop.n AS q (x))", calls("q(x, b, c)")],
    ["a function that returns its rows", "SELECT f.a FROM shop.rows_of_n() AS f", rows],
    ["its rows from JSON", `SELECT r.b FROM json_populate_recordset(NULL::shop.n, '[{"b":1}]') AS r`, rows],
    ["a row as a literal", "SELECT ('(1,2,3)'::shop.n).a AS x", rows],
    ["a row that is cast", "SELECT (ROW(1, 2, 3)::shop.n).a AS x", rows],
    ["whole rows as text", "SELECT n::text AS x FROM shop.n", "it takes whole rows, as n.*"],
    ["the order of whole rows", "SELECT 1 AS x FROM shop.n AS q ORDER BY q.*", "it takes whole rows, as q.*"],
  ])("finds %s", async (_what, query, how) => {
    await world.client.query(`${SOURCES} CREATE VIEW bi.d AS ${query}`);
    expect(await check(d)).toEqual([`view bi.d uses columns of shop.n by their place: ${how}`]);
    expect(await columnsOfN()).toEqual(["a", "b", "c"]);
  });

  test.each([
    ["a list of all columns", "SELECT q.x FROM shop.n AS q (x, y, z)"],
    ["a column that keeps its name", "SELECT q.c FROM shop.n AS q (x)"],
    ["a function that returns its rows", "SELECT f.a FROM shop.rows_of_n() AS f"],
    ["whole rows", "SELECT n::text AS x FROM shop.n"],
    ["a cast row", "SELECT (ROW(1, 2, 3)::shop.n).a AS x"],
  ])("and it would have been wrong: %s", async (_what, query) => {
    await world.client.query(`${SOURCES} CREATE VIEW bi.d AS ${query}`);
    expect(await rowsWhenTurned()).not.toEqual(await rowsOf("bi.d"));
  });

  test("an alias list that a rename made necessary for USING is one by place ever after", async () => {
    await world.client.query(`${SOURCES} CREATE VIEW bi.d AS SELECT a, n.c FROM shop.n JOIN shop.other USING (a);
      ALTER VIEW shop.n RENAME COLUMN a TO first`);
    expect(await check(d)).toEqual([`view bi.d uses columns of shop.n by their place: ${calls("n(a, b, c)")}`]);
  });

  test("reads what isn't a view: functions, rules, policies, defaults, checks, materialized views and what is on them", async () => {
    await world.client.query(`${SOURCES}
      CREATE MATERIALIZED VIEW bi.m AS SELECT a, b FROM shop.n; CREATE INDEX m_b ON bi.m (b);
      CREATE FUNCTION bi.named(low integer) RETURNS bigint LANGUAGE sql
        BEGIN ATOMIC SELECT count(*) FROM shop.n WHERE n.b > low; END;
      CREATE FUNCTION bi.listed() RETURNS bigint LANGUAGE sql
        BEGIN ATOMIC SELECT count(*) FROM shop.n AS q (x) WHERE q.x > 1; END;
      CREATE FUNCTION bi.rows() RETURNS SETOF shop.n LANGUAGE sql BEGIN ATOMIC SELECT * FROM shop.n; END;
      CREATE TABLE bi.t (id integer);
      CREATE POLICY named ON bi.t USING (id IN (SELECT b FROM shop.n));
      CREATE POLICY listed ON bi.t WITH CHECK (id IN (SELECT q.x FROM shop.n AS q (x)));
      CREATE RULE named AS ON INSERT TO bi.t DO ALSO SELECT b FROM shop.n;
      CREATE RULE listed AS ON UPDATE TO bi.t DO ALSO SELECT q.x FROM shop.n AS q (x);
      CREATE RULE written AS ON INSERT TO shop.n DO INSTEAD INSERT INTO shop.numbers (a, b) VALUES (new.a, new.b);
      CREATE RULE returned AS ON DELETE TO shop.n DO INSTEAD
        DELETE FROM shop.numbers AS k WHERE k.a = old.a RETURNING k.a, k.b, k.c;
      CREATE RULE whole AS ON UPDATE TO shop.n DO INSTEAD SELECT new.*::text AS x;
      ALTER TABLE bi.t ALTER id SET DEFAULT bi.named(1), ADD CONSTRAINT named CHECK (id <> bi.named(1)) NOT VALID;
      CREATE FUNCTION bi.fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER fires INSTEAD OF INSERT ON shop.n FOR EACH ROW EXECUTE FUNCTION bi.fires();`);
    const object = (type: string, name: string, schema = "bi"): ObjectName => ({ schema, name, type });
    const good = [
      ...[object("materialized view", "m"), object("index", "m_b"), object("function", "named(integer)")],
      ...[object("policy", "named on t"), object("rule", "named on t"), object("rule", "written on n", "shop")],
      ...[object("default value", "id on t"), object("table constraint", "named on t")],
      object("trigger", "fires on n", "shop"),
    ];
    expect(await check(...good)).toEqual([]);
    const bad = [
      ...[object("function", "listed()"), object("function", "rows()"), object("policy", "listed on t")],
      ...[object("rule", "listed on t"), object("rule", "returned on n", "shop"), object("rule", "whole on n", "shop")],
    ];
    const line = (what: string, how: string): string => `${what} uses columns of shop.n by their place: ${how}`;
    expect(await check(...good, ...bad)).toEqual([
      line("function bi.listed()", calls("q(x, b, c)")),
      line("function bi.rows()", rows),
      line("policy listed on bi.t", calls("q(x, b, c)")),
      line("rule listed on bi.t", calls("q(x, b, c)")),
      line("rule returned on shop.n", "what it returns is matched with them one by one"),
      line("rule whole on shop.n", "it takes whole rows, as new.*"),
    ]);
  });

  test("odd names, and columns that are called as the probe would call them", async () => {
    await world.client.query(`
      CREATE VIEW shop."N ""x"" (y)" AS SELECT 1 AS "a b", 2 AS "__weir_place_0_1", 3 AS "größe", 4 AS "sel""ect";
      CREATE VIEW bi."d.1" AS SELECT "größe", "__weir_place_0_1", "sel""ect" FROM shop."N ""x"" (y)";
      CREATE VIEW bi."d 2" AS SELECT "C" FROM shop."N ""x"" (y)" AS "Q q" ("A", "B", "C")`);
    const dependents = ["d.1", "d 2"].map((name): ObjectName => ({ schema: "bi", name, type: "view" }));
    const odd = { kind: "ordinals", view: { schema: "shop", name: 'N "x" (y)' }, dependents } as const;
    const fault = await faultOf(world.warehouse.runTransaction(aTransaction(world.fences, [aStep(odd)])));
    expect(fault.details).toEqual([
      `view bi."d 2" uses columns of shop."N ""x"" (y)" by their place: it calls them "Q q"("A", "B", "C", "sel""ect")`,
    ]);
    const [first] = dependents;
    const fine = { ...odd, dependents: first === undefined ? [] : [first] };
    await world.warehouse.runTransaction(aTransaction(world.fences, [aStep(fine)]));
  });

  test("leaves nothing behind: what comes after it in the transaction runs with its own timeouts on the old names", async () => {
    await world.client.query(`${SOURCES} CREATE VIEW bi.d AS SELECT a FROM shop.n`);
    const guard = { kind: "ordinals", view, dependents: [d] } as const;
    const note = "CREATE TABLE shop.note AS SELECT current_setting('lock_timeout') AS waits, a, b, c FROM shop.n";
    const timed = { ...aStep(note).statements[0], sql: note, lock: null, alone: false };
    const statement = { ...timed, lockTimeoutMs: 1_234, statementTimeoutMs: null };
    const again = { ...statement, sql: "INSERT INTO shop.note SELECT current_setting('lock_timeout'), 7, 7, 7" };
    const steps = [aStep(statement, guard), aStep(guard, again)];
    await world.warehouse.runTransaction(aTransaction(world.fences, steps));
    expect(await world.value("SELECT array_agg(DISTINCT waits) FROM shop.note")).toEqual(["1234ms"]);
    expect(await world.value("SELECT count(*)::int FROM pg_attribute WHERE attname LIKE '%weir_place%'")).toBe(0);
    expect(await check()).toEqual([]);
  });

  test("a dependent or a view that is gone", async () => {
    await world.client.query(SOURCES);
    const gone = { kind: "ordinals", view, dependents: [d] } as const;
    const run = (guard: typeof gone) => world.warehouse.runTransaction(aTransaction(world.fences, [aStep(guard)]));
    expect(await faultOf(run(gone))).toMatchObject({ kind: "guard_failed", details: ["view bi.d is gone"] });
    const nowhere = { ...gone, view: { schema: "shop", name: "nowhere" } };
    expect(await faultOf(run(nowhere))).toMatchObject({ kind: "guard_failed", details: ["shop.nowhere is gone"] });
  });
});
