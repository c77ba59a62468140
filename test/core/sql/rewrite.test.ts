import { beforeAll, describe, expect, it } from "vitest";
import { findReferences } from "../../../server/core/sql/references.ts";
import { type Replacement, rewriteReferences } from "../../../server/core/sql/rewrite.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

/** Everything in schema `s` and bare names go to `p`; `s.e` is embedded; the rest stays. */
function resolve({ schema, name }: { readonly schema: string | null; readonly name: string }): Replacement {
  if (schema === "s" && name === "e") return { subquery: "SELECT 1 AS id -- one" };
  if (schema === "s" || schema === "__weir") return { relation: { schema: "p", name: `${name}__1` } };
  return null;
}

const cases: readonly (readonly [what: string, sql: string, expected: string])[] = [
  ["an alias is added where none stood", "SELECT t.a FROM s.t", 'SELECT t.a FROM "p"."t__1" AS "t"'],
  [
    "an alias stays",
    "SELECT x.a FROM s.t x JOIN s.u AS y ON true",
    'SELECT x.a FROM "p"."t__1" x JOIN "p"."u__1" AS y ON true',
  ],
  ["other names stay", "SELECT 1 FROM raw.t, t AS z, s.u", 'SELECT 1 FROM raw.t, t AS z, "p"."u__1" AS "u"'],
  [
    "comments, casing and layout stay",
    "Select  A -- s.t é\nFROM /* s.t */ s . t\nWhere 's.t' = A",
    'Select  A -- s.t é\nFROM /* s.t */ "p"."t__1" AS "t"\nWhere \'s.t\' = A',
  ],
  ["offsets are bytes, indexes are not", "SELECT 'é😀', a FROM s.t", 'SELECT \'é😀\', a FROM "p"."t__1" AS "t"'],
  ["quoted names", 'SELECT "T".a FROM "s"."T"', 'SELECT "T".a FROM "p"."T__1" AS "T"'],
  [
    "columns lose the schema",
    "SELECT s.t.a, s.t.* FROM s.t WHERE s . t . b",
    'SELECT "t".a, "t".* FROM "p"."t__1" AS "t" WHERE "t" . b',
  ],
  ["in inner queries too", "SELECT (SELECT s.t.a) FROM s.t", 'SELECT (SELECT "t".a) FROM "p"."t__1" AS "t"'],
  ["but not columns of what stays", "SELECT raw.t.a FROM raw.t", "SELECT raw.t.a FROM raw.t"],
  ["TABLE t", "TABLE s.t", 'SELECT * FROM "p"."t__1" AS "t"'],
  ["TABLE ONLY t", "TABLE ONLY s.t", 'SELECT * FROM ONLY "p"."t__1" AS "t"'],
  ["TABLE in a subquery", "SELECT 1 WHERE 1 IN (TABLE s.t)", 'SELECT 1 WHERE 1 IN (SELECT * FROM "p"."t__1" AS "t")'],
  ["t*", "SELECT a FROM s.t * WHERE a", 'SELECT a FROM "p"."t__1" AS "t" WHERE a'],
  ["ONLY", "SELECT a FROM ONLY s.t, ONLY (s.u) AS w", 'SELECT a FROM ONLY "p"."t__1" AS "t", ONLY ("p"."u__1") AS w'],
  ["ONLY in parentheses without alias", "SELECT a FROM ONLY (s.t)", 'SELECT a FROM ONLY ("p"."t__1") AS "t"'],
  ["TABLESAMPLE", "SELECT a FROM s.t TABLESAMPLE system (1)", 'SELECT a FROM "p"."t__1" AS "t" TABLESAMPLE system (1)'],
  ["an embedded model", "SELECT id FROM s.e", 'SELECT id FROM (\nSELECT 1 AS id -- one\n) AS "e"'],
  ["an embedded model with an alias", "SELECT x.id FROM ONLY s.e x", "SELECT x.id FROM (\nSELECT 1 AS id -- one\n) x"],
  ["TABLE of an embedded model", "TABLE s.e", 'SELECT * FROM (\nSELECT 1 AS id -- one\n) AS "e"'],
  [
    "a CTE of the same name",
    "WITH t AS (SELECT a FROM s.t) SELECT a FROM t",
    'WITH t AS (SELECT a FROM "p"."t__1" AS "t") SELECT a FROM t',
  ],
  [
    "two tables that only their schemas tell apart",
    "SELECT s.t.a, raw.t.b FROM raw.t, s.t",
    'SELECT "s.t".a, raw.t.b FROM raw.t, "p"."t__1" AS "s.t"',
  ],
  [
    "this model in a query",
    "SELECT this_model.a FROM __weir.this_model",
    'SELECT this_model.a FROM "p"."this_model__1" AS "this_model"',
  ],
  ["statements around a query", "CREATE INDEX ON __weir.this_model (a)", 'CREATE INDEX ON "p"."this_model__1" (a)'],
  ["grants", "GRANT SELECT ON __weir.this_model, s.t TO r", 'GRANT SELECT ON "p"."this_model__1", "p"."t__1" TO r'],
  ["INSERT", "INSERT INTO raw.log SELECT a FROM s.t", 'INSERT INTO raw.log SELECT a FROM "p"."t__1" AS "t"'],
  ["DELETE", "DELETE FROM s.t WHERE s.t.a", 'DELETE FROM "p"."t__1" AS "t" WHERE "t".a'],
  ["several statements", "ANALYZE s.t; ANALYZE s.u", 'ANALYZE "p"."t__1"; ANALYZE "p"."u__1"'],
];

describe("rewriting references inside the author's text", () => {
  it.each(cases)("%s", (_what, sql, expected) => {
    expect(rewriteReferences(parser, sql, resolve)).toBe(expected);
  });

  it.each(cases)("leaves text that parses and names nothing replaced: %s", (_what, sql) => {
    const parsed = parser.parse(rewriteReferences(parser, sql, resolve));
    expect(parsed.ok).toBe(true);
    const left = parsed.ok ? parsed.statements.flatMap((each) => findReferences(each.node)) : [];
    expect(left.filter(({ name }) => name.schema === "s" || name.schema === "__weir")).toEqual([]);
  });

  it.each(cases)("changes nothing where nothing is replaced: %s", (_what, sql) => {
    expect(rewriteReferences(parser, sql, () => null)).toBe(sql);
  });
});
