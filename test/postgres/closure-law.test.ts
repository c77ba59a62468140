import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dependencyEdgesQuery } from "../../server/engine/postgres/catalog/dependency-edges-query.ts";
import { buildDependencyGraph, walkClosure } from "../../server/engine/postgres/catalog/walk-closure.ts";
import { listCascade } from "./cascade-oracle.ts";
import { createDatabase } from "./database.ts";
import { buildZoo } from "./zoo.ts";

const VERBS: Readonly<Record<string, string>> = {
  r: "TABLE",
  p: "TABLE",
  v: "VIEW",
  m: "MATERIALIZED VIEW",
};

interface Root {
  readonly oid: number;
  readonly identity: string;
  readonly relkind: string;
}

describe("a closure is exactly what a cascading drop would take", () => {
  let client: pg.Client;
  let roots: readonly Root[];

  beforeAll(async () => {
    client = new pg.Client(await createDatabase("closure"));
    await client.connect();
    await buildZoo(client);
    const { rows } = await client.query<Root>(`
      SELECT c.oid, format('%I.%I', n.nspname, c.relname) AS identity, c.relkind::text AS relkind
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p', 'v', 'm') AND (n.nspname LIKE 'zoo%' OR n.nspname LIKE 'Bi%')
         AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                          WHERE d.objid = c.oid AND d.objsubid = 0 AND d.deptype IN ('i', 'e'))
       ORDER BY 2`);
    roots = rows;
  });
  afterAll(() => client.end());

  test("for every relation of the zoo, read one by one", async () => {
    expect(roots.length).toBeGreaterThan(20);
    for (const root of roots) expect({ root: root.identity, ...(await compare(root, [root])) }).toEqual(exact(root));
  });

  test("for every relation of the zoo, read all at once", async () => {
    for (const root of roots) expect({ root: root.identity, ...(await compare(root, roots)) }).toEqual(exact(root));
  });

  function exact(root: Root) {
    return { root: root.identity, missing: [], extra: [] };
  }

  async function compare(root: Root, together: readonly Root[]) {
    const truth = await listCascade(client, `DROP ${VERBS[root.relkind]} ${root.identity}`);
    const found = await closureOf(root, together);
    // Columns of a relation that goes as a whole are in the truth and not in a closure; the root itself likewise.
    const wholes = new Set([...found].filter((key) => key.endsWith(".0")).map((key) => key.slice(0, -1)));
    const relations = (await client.query("SELECT 'pg_catalog.pg_class'::regclass::oid::int AS oid")).rows[0].oid;
    wholes.add(`${relations}.${root.oid}.`);
    const expected = [...truth].filter((key) => {
      const stem = key.slice(0, key.lastIndexOf(".") + 1);
      return key.endsWith(".0") ? key !== `${relations}.${root.oid}.0` : !wholes.has(stem);
    });
    return {
      missing: expected.filter((key) => !found.has(key)),
      extra: [...found].filter((key) => !truth.has(key)),
    };
  }

  async function closureOf(root: Root, together: readonly Root[]): Promise<ReadonlySet<string>> {
    const query = dependencyEdgesQuery(together.map((each) => each.oid));
    const { rows } = await client.query(query.text, [...query.values]);
    const graph = buildDependencyGraph(rows);
    const classid = (await client.query("SELECT 'pg_catalog.pg_class'::regclass::oid AS oid")).rows[0].oid;
    const walk = walkClosure(graph, { classid, objid: root.oid, objsubid: 0 });
    return new Set(walk.map((node) => `${node.classid}.${node.objid}.${node.objsubid}`));
  }
});
