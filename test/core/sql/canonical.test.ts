import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { canonicalStatement } from "../../../server/core/sql/canonical.ts";
import { lexSql } from "../../../server/core/sql/lexer.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

function canonical(sql: string): unknown {
  const parsed = parser.parse(sql);
  if (!parsed.ok || parsed.statements.length !== 1) throw new Error(`${sql}: ${JSON.stringify(parsed)}`);
  return canonicalStatement(parsed.statements[0]?.node ?? {});
}

const same: readonly (readonly [string, string])[] = [
  ["SELECT a FROM t", "select  A\nfrom T -- x"],
  ["SELECT a AS b FROM t AS u", "SELECT a b FROM t u"],
  ["SELECT (a) FROM t WHERE ((a > 1) AND (b))", "SELECT a FROM t WHERE a > 1 AND b"],
  ["SELECT a FROM t WHERE (a AND b) AND c", "SELECT a FROM t WHERE a AND b AND c"],
  ['SELECT "a" FROM "t"', "SELECT a FROM t"],
  ["SELECT a <> b", "SELECT a != b"],
  ["SELECT CAST(a AS int)", "SELECT a::integer"],
  ["SELECT a::int4", "SELECT a::pg_catalog.int4"],
  ["SELECT a::int4", "SELECT a::int"],
  ["SELECT a::varchar(5)", "SELECT a::character varying(5)"],
  ["SELECT a::decimal(5,2)", "SELECT a::numeric(5, 2)"],
  ["SELECT a::float8, b::bool", "SELECT a::double precision, b::boolean"],
  ["SELECT a::timestamptz", "SELECT a::timestamp with time zone"],
  ["SELECT a ORDER BY a ASC", "SELECT a ORDER BY a"],
  ["SELECT a ORDER BY a ASC NULLS LAST", "SELECT a ORDER BY a"],
  ["SELECT a ORDER BY a DESC NULLS FIRST", "SELECT a ORDER BY a DESC"],
  ["SELECT 1 FROM a INNER JOIN b ON x", "SELECT 1 FROM a JOIN b ON x"],
  ["SELECT 1 FROM a LEFT OUTER JOIN b ON x", "SELECT 1 FROM a LEFT JOIN b ON x"],
  ["SELECT $$it's$$", "SELECT 'it''s'"],
  ["SELECT ARRAY[1, 2]", "SELECT ARRAY[1,\n2]"],
  ["SELECT 'é', a IN (1, 2)", "SELECT /* ééé */ 'é', a IN (1,2)"],
];

const different: readonly (readonly [string, string])[] = [
  ["SELECT 1", "SELECT 2"],
  ["SELECT 'a'", "SELECT 'A'"],
  ["SELECT ''", "SELECT NULL"],
  ["SELECT 0", "SELECT false"],
  ["SELECT 1", "SELECT '1'"],
  ["SELECT 1.0", "SELECT 1.00"],
  ['SELECT "A"', "SELECT a"],
  ["SELECT a, b", "SELECT b, a"],
  ["SELECT a FROM t", "SELECT a FROM s.t"],
  ["SELECT a ORDER BY a", "SELECT a ORDER BY a DESC"],
  ["SELECT a ORDER BY a", "SELECT a ORDER BY a NULLS FIRST"],
  ["SELECT a UNION SELECT b", "SELECT a UNION ALL SELECT b"],
  ["SELECT a::int", "SELECT a::bigint"],
  ["SELECT a::varchar(5)", "SELECT a::varchar(6)"],
  ["SELECT a FROM t", "SELECT DISTINCT a FROM t"],
  ["SELECT a FROM t WHERE a LIKE 'x'", "SELECT a FROM t WHERE a ILIKE 'x'"],
  ["WITH x AS MATERIALIZED (SELECT 1) SELECT * FROM x", "WITH x AS (SELECT 1) SELECT * FROM x"],
];

const queries: readonly string[] = [
  "SELECT a, b AS c FROM s.t WHERE a > 1.5 AND b LIKE 'x%' ORDER BY 1 DESC LIMIT 10",
  'WITH RECURSIVE q AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM q WHERE n < 5) SELECT "N".n FROM q AS "N"',
  "SELECT count(*) FILTER (WHERE x IS NOT NULL), sum(y) OVER (PARTITION BY z ORDER BY w) FROM t GROUP BY ROLLUP (z)",
  "SELECT CASE WHEN a THEN $$dollar 'quoted'$$ ELSE E'e\\n' END, interval '1 day', x::numeric(10, 2)[] FROM t, LATERAL (SELECT 1) l",
  "SELECT j -> 'a' ->> 'b', j @> '{}', t.*, EXISTS (SELECT 1 FROM u WHERE u.id = t.id) FROM t LEFT JOIN v USING (id)",
];

describe("the canonical form", () => {
  it.each(same)("is the same for %s and %s", (one, other) => {
    expect(canonical(one)).toEqual(canonical(other));
  });

  it.each(different)("tells %s from %s", (one, other) => {
    expect(canonical(one)).not.toEqual(canonical(other));
  });

  it("doesn't see white space, comments and letter case of bare words", () => {
    const gap = fc.constantFrom(" ", "\n", "\t ", "\r\n", " /* c, 'd' */ ", " -- é; x\n", " /* /* nested */ */ ");
    const noise = fc.record({
      gaps: fc.array(gap, { minLength: 1, maxLength: 40 }),
      upper: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...queries), noise, (query, { gaps, upper }) => {
        const words = lexSql(query).tokens.map((token, at) => {
          const text = query.slice(token.start, token.end);
          const changed = upper[at % upper.length] ? text.toUpperCase() : text.toLowerCase();
          return `${token.kind === "word" ? changed : text}${gaps[at % gaps.length]}`;
        });
        // Only what stood apart may be put apart: `count(*)` stays together, dots and casts may be.
        expect(canonical(words.join(""))).toEqual(canonical(query));
      }),
      { numRuns: 300 },
    );
  });

  it("sees every changed literal", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (one, other) => {
        const sql = (text: string): string =>
          `SELECT a FROM t WHERE b = '${text.replaceAll("'", "''").replaceAll("\0", "")}'`;
        const equal = one.replaceAll("\0", "") === other.replaceAll("\0", "");
        expect(canonical(sql(one)) === canonical(sql(other))).toBe(equal);
      }),
    );
  });
});
