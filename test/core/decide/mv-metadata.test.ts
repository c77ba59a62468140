import { beforeAll, describe, expect, it } from "vitest";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { applied, emptyWorld, planIn, type ShapedSketch, summary, type World } from "../../builders/facts.ts";

let parser: SqlParser;
let prod: World;

const mv: ShapedSketch = {
  name: "my_mv",
  kind: "materialized_view",
  query: "SELECT 1 AS my_column",
  shape: "my_column integer",
};
const reader: ShapedSketch = {
  name: "shop.reader",
  kind: "full",
  query: "SELECT my_column FROM my_mv",
  shape: "my_column integer",
};

beforeAll(async () => {
  parser = await loadSqlParser();
  prod = applied(emptyWorld, planIn(emptyWorld, parser, [mv, reader]));
});

describe("cases/mv-metadata", () => {
  it("stands in sqlmesh__default and is served as default.my_mv", () => {
    const { next } = planIn(emptyWorld, parser, [mv]).of("my_mv");
    expect(next?.relation).toEqual({ schema: "sqlmesh__default", name: `my_mv__${next?.version}` });
    expect(next?.view).toEqual({ schema: "default", name: "my_mv" });
  });

  it.each<[string, Partial<ShapedSketch>, boolean, object]>([
    ["tags", { metadata: { tags: ["mytag_a"] } }, false, { code: "label_changed", properties: ["tags"] }],
    ["owner", { metadata: { owner: "ilse" } }, false, { code: "label_changed", properties: ["owner"] }],
    ["cron", { metadata: { cron: "@hourly" } }, false, { code: "label_changed", properties: ["cron"] }],
    ["audits", { metadata: { other: { audits: "(x)" } } }, false, { code: "label_changed", properties: ["audits"] }],
    ["grains", { metadata: { other: { grains: "(x)" } } }, false, { code: "label_changed", properties: ["grains"] }],
    ["description", { metadata: { description: "Mine" } }, true, { code: "description_changed" }],
    ["an index", { physicalProperties: { indexes: ["(my_column)"] } }, true, { code: "index_changed" }],
    ["fillfactor", { physicalProperties: { fillfactor: 70 } }, true, { code: "storage_changed", keys: ["fillfactor"] }],
  ])("%s: row 3, the same object, and nothing at all downstream", (_, edit, inPlace, reason) => {
    const plan = planIn(prod, parser, [{ ...mv, ...edit }, reader]);
    const decision = plan.of("my_mv");
    expect(summary(decision)).toBe("row 3 metadata keep");
    expect(decision).toMatchObject({ category: "metadata", moved: false, differs: false, inPlace, reasons: [reason] });
    expect(decision.next?.relation).toEqual(decision.previous?.relation);
    expect(decision.next?.snapshot).not.toBe(decision.previous?.snapshot);
    const downstream = plan.of("shop.reader");
    expect([summary(downstream), downstream.reasons]).toEqual(["row 8 none keep", []]);
    expect(plan.facts.shapes.size).toBe(0);
    const settled = planIn(applied(prod, plan), parser, [{ ...mv, ...edit }, reader]);
    expect(settled.decisions.map(summary)).toEqual(["row 8 none keep", "row 8 none keep"]);
  });

  it("formatting and comments are no change at all", () => {
    const plan = planIn(prod, parser, [{ ...mv, query: "select\n  1 as MY_COLUMN -- one" }, reader]);
    expect(plan.decisions.map(summary)).toEqual(["row 8 none keep", "row 8 none keep"]);
  });

  it("a changed definition is built beside the old one; restoring the file takes the old one again", () => {
    const changed = planIn(prod, parser, [{ ...mv, query: "SELECT 2 AS my_column" }, reader]);
    expect(summary(changed.of("my_mv"))).toBe("row 4 modified new create build");
    expect(changed.of("my_mv").next?.relation).not.toEqual(changed.of("my_mv").previous?.relation);
    const later = applied(prod, changed);

    const restored = planIn(later, parser, [mv, reader]);
    const original = planIn(prod, parser, [mv, reader]).of("my_mv").next;
    expect(summary(restored.of("my_mv"))).toBe("row 2 modified reuse");
    expect(restored.of("my_mv").next).toMatchObject({ version: original?.version, relation: original?.relation });
    expect(restored.of("my_mv").reasons).toEqual([
      { code: "query_changed" },
      { code: "known_version", version: original?.version },
    ]);
    expect(summary(restored.of("shop.reader"))).toBe("row 2 indirect reuse");
  });
});
