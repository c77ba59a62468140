import { beforeAll, describe, expect, it } from "vitest";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { applied, emptyWorld, planIn, type ShapedSketch, summary, type World } from "../../builders/facts.ts";

let parser: SqlParser;
let prod: World;

const raw: ShapedSketch = {
  name: "repro.raw_items",
  kind: "full",
  query:
    "SELECT 1 AS id, 'alpha' AS name, FALSE AS __is_deleted UNION ALL SELECT 2 AS id, 'beta' AS name, TRUE AS __is_deleted",
  shape: "id integer, name text, __is_deleted boolean",
};
const stgBase: ShapedSketch = {
  name: "repro.stg_items_base",
  query: "SELECT id, name, __is_deleted FROM repro.raw_items",
  shape: "id integer, name text, __is_deleted boolean",
};
const stg: ShapedSketch = {
  name: "repro.stg_items",
  query: "SELECT id, name FROM repro.stg_items_base WHERE NOT __is_deleted",
  shape: "id integer, name text",
};
const audit: ShapedSketch = {
  name: "repro.audit_items",
  kind: "incremental_by_partition",
  partitionedBy: ["id"],
  query: "SELECT id, name, __is_deleted FROM repro.stg_items_base",
  shape: "id integer, name text, __is_deleted boolean",
};
const project = [raw, stgBase, stg, audit];
const keys = project.map((model) => model.name);

beforeAll(async () => {
  parser = await loadSqlParser();
  prod = applied(emptyWorld, planIn(emptyWorld, parser, project));
});

describe("cases/view-cascade", () => {
  it("first plan: everything is new, parents come first, tables are filled", () => {
    const plan = planIn(emptyWorld, parser, project);
    expect(plan.decisions.map((decision) => `${decision.model}: ${summary(decision)}`)).toEqual([
      "repro.raw_items: row 1 added new create build",
      "repro.stg_items_base: row 1 added new create",
      "repro.audit_items: row 1 added new create build",
      "repro.stg_items: row 1 added new create",
    ]);
    for (const key of keys) {
      const { next } = plan.of(key);
      expect(next?.relation?.schema).toBe("sqlmesh__repro");
      expect(next?.relation?.name).toBe(`${key.replace(".", "__")}__${next?.version}`);
      expect(next?.view).toEqual({ schema: "repro", name: key.replace("repro.", "") });
    }
  });

  it("second plan: nothing changed, so nothing is asked for and nothing done", () => {
    const plan = planIn(prod, parser, project);
    expect(plan.facts.shapes.size).toBe(0);
    for (const decision of plan.decisions) {
      expect(summary(decision)).toBe("row 8 none keep");
      expect([decision.reasons, decision.path]).toEqual([[], []]);
      expect(decision.next?.snapshot).toBe(decision.previous?.snapshot);
      expect(decision.next?.version).toBe(decision.previous?.version);
    }
  });

  it("reordered columns: the views behind get new objects, the history keeps its rows", () => {
    const plan = planIn(prod, parser, [
      raw,
      {
        ...stgBase,
        query: "SELECT name, id, __is_deleted FROM repro.raw_items",
        shape: "name text, id integer, __is_deleted boolean",
      },
      stg,
      audit,
    ]);
    expect(summary(plan.of("repro.raw_items"))).toBe("row 8 none keep");
    expect(plan.of("repro.stg_items_base")).toMatchObject({
      row: 4,
      category: "breaking",
      outcome: "new",
      reasons: [{ code: "query_changed" }],
      path: ["repro.stg_items_base"],
      columns: { added: [], removed: [], retyped: [], reordered: true },
    });
    expect(plan.of("repro.stg_items")).toMatchObject({
      row: 5,
      category: "indirect-breaking",
      outcome: "new",
      moved: true,
      reasons: [{ code: "parent_differs", parent: "repro.stg_items_base", rebuilt: true }],
      path: ["repro.stg_items", "repro.stg_items_base"],
    });
    expect(plan.of("repro.audit_items")).toMatchObject({ row: 5, outcome: "keep", fill: "none", alter: null });
  });

  it("a dropped column: the history is altered inside the promotion and keeps its name", () => {
    const plan = planIn(prod, parser, [
      raw,
      { ...stgBase, query: "SELECT id, __is_deleted FROM repro.raw_items", shape: "id integer, __is_deleted boolean" },
      { ...stg, query: "SELECT id FROM repro.stg_items_base WHERE NOT __is_deleted", shape: "id integer" },
      {
        ...audit,
        query: "SELECT id, __is_deleted FROM repro.stg_items_base",
        shape: "id integer, __is_deleted boolean",
      },
    ]);
    const name = { name: "name", type: "text", collation: null };
    expect(plan.of("repro.stg_items")).toMatchObject({ row: 4, outcome: "new", columns: { removed: [name] } });
    const history = plan.of("repro.audit_items");
    expect(history).toMatchObject({
      row: 4,
      category: "forward-only",
      outcome: "keep",
      create: false,
      fill: "none",
      alter: { added: [], removed: [name], retyped: [] },
    });
    expect(history.next?.relation).toEqual(history.previous?.relation);
    expect(history.next?.columns.map((column) => column.name)).toEqual(["id", "__is_deleted"]);
  });

  it("a narrower type, cast back by the readers: they keep their columns but not their objects", () => {
    const plan = planIn(prod, parser, [
      raw,
      {
        ...stgBase,
        query: "SELECT id, name::varchar(50) AS name, __is_deleted FROM repro.raw_items",
        shape: "id integer, name character varying(50), __is_deleted boolean",
      },
      { ...stg, query: "SELECT id, name::text AS name FROM repro.stg_items_base WHERE NOT __is_deleted" },
      { ...audit, query: "SELECT id, name::text AS name, __is_deleted FROM repro.stg_items_base" },
    ]);
    expect(plan.of("repro.stg_items_base").columns.retyped).toEqual([
      { name: "name", from: "text", to: "character varying(50)" },
    ]);
    expect(plan.of("repro.stg_items")).toMatchObject({ row: 4, outcome: "new", columns: { retyped: [] } });
    expect(plan.of("repro.audit_items")).toMatchObject({ row: 4, outcome: "keep", alter: null });
  });

  it("an added column is non-breaking, and the readers are looked at all the same", () => {
    const plan = planIn(prod, parser, [
      raw,
      {
        ...stgBase,
        query: "SELECT id, name, __is_deleted, id * 2 AS twice FROM repro.raw_items",
        shape: "id integer, name text, __is_deleted boolean, twice integer",
      },
      stg,
      audit,
    ]);
    expect(plan.of("repro.stg_items_base")).toMatchObject({ row: 4, category: "non-breaking", outcome: "new" });
    expect(plan.of("repro.stg_items")).toMatchObject({ row: 5, outcome: "new" });
  });

  it("reads: closures of what changes and of what reads it, of nothing else", () => {
    const changed = planIn(prod, parser, [raw, stgBase, { ...stg, query: `${stg.query} AND id > 0` }, audit]);
    expect(summary(changed.of("repro.stg_items"))).toBe("row 4 modified new create");
    // Its parents' shapes are needed to bind it.
    expect([...changed.facts.shapes.keys()]).toEqual(["repro.raw_items", "repro.stg_items_base", "repro.stg_items"]);
  });
});
