import { beforeAll, describe, expect, it } from "vitest";
import { hashJson } from "../../../server/core/base/hash.ts";
import { canonicalStatement } from "../../../server/core/sql/canonical.ts";
import { findReferences } from "../../../server/core/sql/references.ts";
import { rewriteReferences } from "../../../server/core/sql/rewrite.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const subqueries = (levels: number): string =>
  `${"SELECT * FROM (".repeat(levels)}SELECT 1 FROM s.t${") x".repeat(levels)}`;

describe("large and deep texts", () => {
  it.each([
    ["subqueries", subqueries(500)],
    ["parentheses", `SELECT ${"(".repeat(500)}a${")".repeat(500)} FROM s.t`],
    ["calls", `SELECT ${"f(".repeat(500)}a${")".repeat(500)} FROM s.t`],
    ["CASE", `SELECT ${"CASE WHEN a THEN ".repeat(500)}1${" END".repeat(500)} FROM s.t`],
    ["branches of UNION ALL", Array.from({ length: 500 }, () => "SELECT 1 FROM s.t").join(" UNION ALL ")],
    ["CTEs", `WITH ${Array.from({ length: 500 }, (_, at) => `c${at} AS (SELECT 1 FROM s.t)`).join(", ")} SELECT 1`],
  ])("500 levels of %s go through every step", (_what, sql) => {
    const parsed = parser.parse(sql);
    if (!parsed.ok) throw new Error(parsed.message);
    const node = parsed.statements[0]?.node ?? {};
    expect(findReferences(node).length).toBeGreaterThan(0);
    expect(hashJson(canonicalStatement(node))).toMatch(/^[0-9a-f]{64}$/);
    expect(rewriteReferences(parser, sql, () => ({ relation: { schema: "p", name: "t" } }))).toContain('"p"."t"');
  });

  it.each([1_000, 5_000, 20_000])("%d levels of subqueries are refused in words, again and again", (levels) => {
    for (let time = 0; time < 3; time += 1)
      expect(parser.parse(subqueries(levels))).toMatchObject({
        ok: false,
        message: expect.stringContaining("nested too deeply"),
      });
    expect(parser.parse("SELECT 1").ok).toBe(true);
  });

  it("a million tokens and ten megabytes are refused in words, in bounded time", () => {
    expect(parser.parse(`SELECT ${Array.from({ length: 500_000 }, () => "1").join(",")}`)).toMatchObject({
      ok: false,
      message: expect.stringContaining("too long"),
    });
    expect(parser.parse(`SELECT '${"x".repeat(10_000_000)}'`)).toMatchObject({
      ok: false,
      message: expect.stringContaining("too long"),
    });
  });

  it.each([
    ["SELECT 'ééé' FROM FROM", 18],
    ["SELECT '😀', x FROM FROM", 20],
    ["SELECT (1", 9],
    ["SELECT 'x", 7],
    ["SELECT 1\0", 8],
  ])("says where a text is wrong, as a string index: %s", (sql, offset) => {
    expect(parser.parse(sql)).toMatchObject({ ok: false, offset });
  });

  it.each(["", "  \n", "-- nothing", ";;"])("takes no statement at all for none: '%s'", (sql) => {
    expect(parser.parse(sql)).toEqual({ ok: true, statements: [] });
  });

  it("gives each statement its place in the text", () => {
    const sql = "SELECT 'é'; ;\n/* x */ SELECT 2 ; ";
    const parsed = parser.parse(sql);
    expect(parsed.ok ? parsed.statements.map(({ start, end }) => sql.slice(start, end)) : []).toEqual([
      "SELECT 'é'",
      "SELECT 2",
    ]);
  });
});
