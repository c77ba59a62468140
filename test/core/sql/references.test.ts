import { beforeAll, describe, expect, it } from "vitest";
import { findReferences } from "../../../server/core/sql/references.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

/** Each name once, in order of first mention, a star behind those read as a whole. */
function references(sql: string): string {
  const parsed = parser.parse(sql);
  if (!parsed.ok) throw new Error(`${parsed.message} at ${parsed.offset}`);
  const found = new Map<string, boolean>();
  for (const statement of parsed.statements) {
    for (const { catalog, name, star } of findReferences(statement.node)) {
      const key = [catalog, name.schema, name.name].filter((part) => part !== null).join(".");
      found.set(key, (found.get(key) ?? false) || star);
    }
  }
  return [...found].map(([key, star]) => (star ? `${key}*` : key)).join(" ");
}

const cases: readonly (readonly [what: string, sql: string, expected: string])[] = [
  ["a schema-qualified table", "SELECT a FROM s.t", "s.t"],
  ["a bare table", "SELECT a FROM t", "t"],
  ["three parts", "SELECT a FROM c.s.t", "c.s.t"],
  ["the same table twice", "SELECT 1 FROM s.t x, s.t y", "s.t"],
  ["unquoted names folded", "SELECT A FROM S.T", "s.t"],
  ["quoted names kept", 'SELECT 1 FROM "S"."T"', "S.T"],
  ["quoted names with dots and quotes", 'SELECT 1 FROM "a.b"."c""d"', 'a.b.c"d'],
  ["non-ASCII names", 'SELECT 1 FROM shop."größe", shop.grüße', "shop.größe shop.grüße"],
  ["a CTE is no table", "WITH a AS (SELECT 1) SELECT * FROM a", ""],
  ["a qualified name is never a CTE", "WITH t AS (SELECT 1) SELECT x FROM s.t", "s.t"],
  ["a CTE that reads a table of its own name", "WITH t AS (SELECT x FROM t) SELECT * FROM t", "t"],
  ["later CTEs see earlier ones", "WITH a AS (SELECT x FROM r), b AS (SELECT x FROM a) SELECT x FROM b", "r"],
  ["earlier CTEs don't see later ones", "WITH a AS (SELECT x FROM b), b AS (SELECT 1 x) SELECT x FROM a, b", "b"],
  ["with RECURSIVE they do", "WITH RECURSIVE a AS (SELECT x FROM b), b AS (SELECT 1 x) SELECT x FROM a, b", ""],
  ["a recursive CTE", "WITH RECURSIVE a AS (SELECT x FROM t UNION ALL SELECT x FROM a) SELECT x FROM a", "t"],
  [
    "without RECURSIVE it reads the table",
    "WITH a AS (SELECT x FROM t UNION ALL SELECT x FROM a) SELECT x FROM a",
    "t a",
  ],
  ["a CTE of an inner query ends with it", "SELECT (WITH a AS (SELECT 1) SELECT 1 FROM a), x FROM a", "a"],
  ["an outer CTE reaches inner queries", "WITH a AS (SELECT 1 x) SELECT (SELECT x FROM a) FROM t", "t"],
  [
    "an inner CTE shadows an outer one",
    "WITH a AS (SELECT 1) SELECT 1 FROM (WITH a AS (SELECT x FROM u) SELECT x FROM a) q",
    "u",
  ],
  ["a nested CTE", "WITH a AS (WITH b AS (SELECT x FROM t) SELECT x FROM b) SELECT x FROM a, b", "t b"],
  ["CTEs over a set operation", "WITH a AS (SELECT 1) SELECT 1 FROM a UNION SELECT 2 FROM a, t", "t"],
  ["CTEs in one branch only", "(WITH a AS (SELECT 1) SELECT 1 FROM a) UNION SELECT 2 FROM a", "a"],
  ["a CTE name in another case", 'WITH A AS (SELECT 1) SELECT 1 FROM a, "A"', "A"],
  ["joins", "SELECT 1 FROM a JOIN b USING (x) LEFT JOIN c ON c.x = b.x CROSS JOIN d", "a b c d"],
  ["joins in parentheses", "SELECT 1 FROM (a JOIN b ON true) JOIN c ON true", "a b c"],
  ["a derived table", "SELECT 1 FROM (SELECT x FROM a) q", "a"],
  ["LATERAL", "SELECT 1 FROM a, LATERAL (SELECT 1 FROM b WHERE b.x = a.x) l", "a b"],
  ["a subquery in SELECT", "SELECT (SELECT max(x) FROM a) FROM b", "a b"],
  ["in WHERE", "SELECT 1 FROM a WHERE x IN (SELECT y FROM b)", "a b"],
  ["in EXISTS, whose star reads no column", "SELECT 1 FROM a WHERE EXISTS (SELECT * FROM b)", "a b"],
  ["in HAVING", "SELECT 1 FROM a GROUP BY x HAVING x > (SELECT 1 FROM b)", "a b"],
  ["in ORDER BY and LIMIT", "SELECT 1 FROM a ORDER BY (SELECT 1 FROM b) LIMIT (SELECT 1 FROM c)", "a b c"],
  ["in a join condition", "SELECT 1 FROM a JOIN b ON a.x = (SELECT y FROM c)", "a b c"],
  [
    "in an aggregate's FILTER and ORDER BY",
    "SELECT max(x ORDER BY (SELECT 1 FROM b)) FILTER (WHERE (SELECT true FROM c)) FROM a",
    "b c a",
  ],
  ["in a window", "SELECT max(x) OVER (PARTITION BY (SELECT 1 FROM b)) FROM a", "b a"],
  [
    "in CASE, COALESCE and a cast",
    "SELECT CASE WHEN (SELECT true FROM a) THEN coalesce((SELECT 1 FROM b), 1) END::text FROM c",
    "a b c",
  ],
  ["in ARRAY()", "SELECT ARRAY(SELECT x FROM a)", "a"],
  ["in VALUES", "VALUES ((SELECT x FROM a)), (1)", "a"],
  ["VALUES in FROM", "SELECT 1 FROM (VALUES ((SELECT x FROM a))) v(i)", "a"],
  ["ANY with a subquery", "SELECT 1 WHERE 1 = ANY (SELECT x FROM a)", "a"],
  ["a function in FROM is no table", "SELECT 1 FROM generate_series(1, (SELECT max(x) FROM a)) g", "a"],
  ["ROWS FROM", "SELECT 1 FROM ROWS FROM (f((SELECT 1 FROM a)), g()) r", "a"],
  ["JSON_TABLE", "SELECT 1 FROM a, JSON_TABLE(a.j, '$' COLUMNS (x int)) j", "a"],
  ["TABLESAMPLE", "SELECT 1 FROM a TABLESAMPLE system (10)", "a"],
  ["ONLY and t*", "SELECT 1 FROM ONLY a, ONLY (b), c*", "a b c"],
  ["TABLE t reads all columns", "TABLE s.t", "s.t*"],
  [
    "set operations",
    "SELECT x FROM a UNION SELECT x FROM b EXCEPT SELECT x FROM c INTERSECT SELECT x FROM d",
    "a b c d",
  ],
  ["FOR UPDATE OF names a row source, not a table", "SELECT 1 FROM a AS z FOR UPDATE OF z", "a"],
  ["a CTE that changes data", "WITH n AS (INSERT INTO a SELECT x FROM b RETURNING x) SELECT x FROM n", "a b"],
  [
    "UPDATE and DELETE",
    "WITH u AS (UPDATE a SET x = b.y FROM b RETURNING 1), d AS (DELETE FROM c USING e RETURNING 1) SELECT 1",
    "a b c e",
  ],
  ["the target of a change is never a CTE", "WITH a AS (SELECT 1) INSERT INTO a SELECT * FROM a", "a"],
  ["MERGE", "WITH s AS (SELECT x FROM b) MERGE INTO a USING s ON a.x = s.x WHEN MATCHED THEN DELETE", "b a"],
  ["names in texts and comments are none", "SELECT 'FROM a', $$FROM b$$ /* FROM c */ -- FROM d", ""],
  ["a star reads every row source beside it", "SELECT * FROM a, b JOIN c ON true, (SELECT x FROM d) q", "a* b* c* d"],
  ["a star inside a CTE", "WITH q AS (SELECT * FROM a) SELECT x FROM q", "a*"],
  ["a star on one name", "SELECT a.*, b.x FROM s.a, s.b", "s.a* s.b"],
  ["a star on an alias", "SELECT z.* FROM a AS z, z AS a", "a* z"],
  ["a star on schema and name", "SELECT s.t.* FROM s.t, r.t u", "s.t* r.t"],
  ["a whole row", "SELECT row_to_json(a) FROM s.a", "s.a*"],
  ["a star from an inner query", "SELECT (SELECT row_to_json(a.*)) FROM a, b", "a* b"],
  ["a star on an aliased join", "SELECT j.* FROM (a JOIN b ON true) AS j, c", "a* b* c"],
  ["NATURAL JOIN compares all columns", "SELECT x FROM a NATURAL JOIN b, c", "a* b* c"],
  ["count(*) reads none", "SELECT count(*) FROM a", "a"],
  ["a derived table doesn't see its neighbours", "SELECT 1 FROM a, (SELECT z.* FROM b AS z) q", "a b*"],
  ["an index on a model", "CREATE INDEX ON s.t (x)", "s.t"],
  ["grants", "GRANT SELECT ON s.t, u TO r", "s.t u"],
  ["a table made from a query", "CREATE TABLE n AS SELECT x FROM t", "n t"],
];

describe("which relations a statement names", () => {
  it.each(cases)("%s: %s", (_what, sql, expected) => {
    expect(references(sql)).toBe(expected);
  });
});
