import { beforeAll, describe, expect, it } from "vitest";
import { findRemovedReads } from "../../../server/core/plan/removed-models.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { applied, emptyWorld, planIn, type ShapedSketch, summary, type World, without } from "../../builders/facts.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const worldOf = (...sketches: readonly ShapedSketch[]): World =>
  applied(emptyWorld, planIn(emptyWorld, parser, sketches));

describe("a diamond", () => {
  const top: ShapedSketch = { name: "shop.top", kind: "full" };
  const left: ShapedSketch = { name: "shop.left", query: "SELECT id FROM shop.top" };
  const right: ShapedSketch = { name: "shop.right", kind: "materialized_view", query: "SELECT id FROM shop.top" };
  const foot: ShapedSketch = {
    name: "shop.foot",
    kind: "full",
    query: "SELECT l.id FROM shop.left l JOIN shop.right r ON l.id = r.id",
  };

  it("names every parent that carries the change, and the shortest way back", () => {
    const plan = planIn(worldOf(top, left, right, foot), parser, [
      { ...top, query: "SELECT 2 AS id" },
      left,
      right,
      foot,
    ]);
    expect(plan.of("shop.foot")).toMatchObject({
      row: 5,
      category: "indirect-breaking",
      reasons: [
        { code: "parent_differs", parent: "shop.left", rebuilt: true },
        { code: "parent_differs", parent: "shop.right", rebuilt: true },
      ],
      path: ["shop.foot", "shop.left", "shop.top"],
    });
  });

  it("a tablespace moves rows without changing them: views follow, the materialized one at full cost, tables stay", () => {
    const plan = planIn(worldOf(top, left, right, foot), parser, [
      { ...top, physicalProperties: { tablespace: "fast" } },
      left,
      right,
      foot,
    ]);
    expect(plan.decisions.map((decision) => `${decision.model}: ${summary(decision)}`)).toEqual([
      "shop.top: row 4 modified new create build",
      "shop.left: row 7 indirect new create",
      "shop.right: row 7 indirect new create build",
      "shop.foot: row 7 indirect keep",
    ]);
    expect(plan.of("shop.right")).toMatchObject({
      category: "indirect-non-breaking",
      reasons: [{ code: "source_replaced", parent: "shop.top" }],
      differs: false,
      moved: true,
    });
  });
});

describe("what is inlined or only read", () => {
  const table: ShapedSketch = { name: "shop.t", kind: "full" };
  const inlined: ShapedSketch = { name: "shop.e", kind: "embedded", query: "SELECT id FROM shop.t" };
  const reader: ShapedSketch = { name: "shop.r", query: "SELECT id FROM shop.e" };

  it("a change in an EMBEDDED model is its readers' own, told with its name", () => {
    const plan = planIn(worldOf(table, inlined, reader), parser, [
      table,
      { ...inlined, query: "SELECT id FROM shop.t WHERE id > 0" },
      reader,
    ]);
    expect(plan.of("shop.e")).toMatchObject({ row: null, change: "modified", outcome: "none", differs: true });
    expect(plan.of("shop.r")).toMatchObject({
      row: 4,
      change: "modified",
      category: "breaking",
      reasons: [{ code: "embedded_changed", parent: "shop.e" }],
      path: ["shop.r", "shop.e"],
    });
  });

  it("what an EMBEDDED model reads is read by whoever it stands in", () => {
    const plan = planIn(worldOf(table, inlined, reader), parser, [
      { ...table, query: "SELECT 2 AS id" },
      inlined,
      reader,
    ]);
    expect(plan.of("shop.r")).toMatchObject({ row: 5, moved: true, path: ["shop.r", "shop.t"] });
  });

  it("a FULL model that becomes EMBEDDED loses its object and its view, and its readers bind what it read", () => {
    const full: ShapedSketch = { ...inlined, kind: "full" };
    const plan = planIn(worldOf(table, full, reader), parser, [table, inlined, reader]);
    expect(plan.of("shop.e")).toMatchObject({ outcome: "none", next: { view: null, relation: null } });
    expect(plan.of("shop.e").previous?.view).toEqual({ schema: "shop", name: "e" });
    expect(plan.of("shop.e").reasons).toEqual([{ code: "kind_changed", from: "FULL", to: "EMBEDDED" }]);
    expect(summary(plan.of("shop.r"))).toBe("row 4 modified new create");
  });

  it("B24: declaring an external relation changes no reader, its columns only readers of `*`", () => {
    const named: ShapedSketch = { name: "shop.named", kind: "full", query: "SELECT CAST(id AS INT) AS id FROM raw.t" };
    const star: ShapedSketch = { name: "shop.star", kind: "full", query: "SELECT * FROM raw.t" };
    const external: ShapedSketch = { name: "raw.t", kind: "external" };
    const world = worldOf(named, star);
    const declared = planIn(world, parser, [named, star, external]);
    expect(declared.of("raw.t")).toMatchObject({ change: "added", row: null, outcome: "none" });
    expect(summary(declared.of("shop.named"))).toBe("row 8 none keep");
    expect(summary(declared.of("shop.star"))).toBe("row 8 none keep");
    const typed = planIn(applied(world, declared), parser, [
      named,
      star,
      { ...external, columns: "id int, name text" },
    ]);
    expect(summary(typed.of("shop.named"))).toBe("row 8 none keep");
    expect(typed.of("shop.star")).toMatchObject({
      row: 4,
      reasons: [{ code: "external_columns_changed", parent: "raw.t" }],
      path: ["shop.star", "raw.t"],
    });
    const settled = planIn(applied(applied(world, declared), typed), parser, [
      named,
      star,
      { ...external, columns: "id int, name text" },
    ]);
    expect(settled.decisions.map(summary)).toEqual(["row - none none", "row 8 none keep", "row 8 none keep"]);
  });

  it("a relation from outside that becomes a model of ours moves its readers", () => {
    const named: ShapedSketch = { name: "shop.named", query: "SELECT id FROM raw.t" };
    const plan = planIn(worldOf(named), parser, [named, { name: "raw.t", kind: "full" }]);
    expect(plan.of("shop.named")).toMatchObject({ row: 5, moved: true, outcome: "new" });
  });
});

describe("what the catalog lacks", () => {
  const table: ShapedSketch = { name: "shop.t", kind: "full" };
  const view: ShapedSketch = { name: "shop.v", query: "SELECT id FROM shop.t" };

  it("row 9: a lost object is made again under the same name, filled, and nothing else moves", () => {
    const world = worldOf(table, view);
    const relation = world.environments[0]?.models[0]?.relation;
    const plan = planIn(without(world, relation), parser, [table, view]);
    expect(summary(plan.of("shop.t"))).toBe("row 9 none keep create build");
    expect(plan.of("shop.t").next?.relation).toEqual(relation);
    expect(plan.of("shop.t").reasons).toEqual([{ code: "object_missing", relation }]);
    expect(summary(plan.of("shop.v"))).toBe("row 8 none keep");
  });

  it("a lost virtual view is named, so that the plan puts it back", () => {
    const world = worldOf(table, view);
    const plan = planIn(without(world, { schema: "shop", name: "v" }), parser, [table, view]);
    expect(summary(plan.of("shop.v"))).toBe("row 8 none keep");
    expect(plan.of("shop.v").reasons).toEqual([{ code: "view_missing", relation: { schema: "shop", name: "v" } }]);
    expect(plan.of("shop.t").reasons).toEqual([]);
  });

  it("history that is altered and gone is made with its new columns instead", () => {
    const kept: ShapedSketch = { name: "shop.h", kind: "incremental_by_partition", partitionedBy: ["id"] };
    const world = worldOf(kept);
    const plan = planIn(without(world, world.environments[0]?.models[0]?.relation), parser, [
      { ...kept, query: "SELECT 1 AS id, 2 AS more", shape: "id integer, more integer" },
    ]);
    expect(summary(plan.of("shop.h"))).toBe("row 9 modified keep create build");
    expect(plan.of("shop.h").alter).toBeNull();
    expect(plan.of("shop.h").next?.columns.map((column) => column.name)).toEqual(["id", "more"]);
  });

  it("a version that was recorded but never built is taken up where it was left", () => {
    const world = worldOf(table);
    const next = planIn(world, parser, [{ ...table, query: "SELECT 2 AS id" }]);
    const crashed = applied(world, next);
    const unbuilt: World = {
      ...without(crashed, next.of("shop.t").next?.relation),
      environments: world.environments,
      versions: crashed.versions.map((known) =>
        known.version === next.of("shop.t").next?.version
          ? { ...known, filled: false, usedBy: [], owner: null }
          : known,
      ),
    };
    const again = planIn(unbuilt, parser, [{ ...table, query: "SELECT 2 AS id" }]);
    expect(summary(again.of("shop.t"))).toBe("row 2 modified reuse create build");
    expect(again.of("shop.t").next?.relation).toEqual(next.of("shop.t").next?.relation);
  });
});

describe("removed models", () => {
  const table: ShapedSketch = { name: "shop.t", kind: "full" };
  const view: ShapedSketch = { name: "shop.v", query: "SELECT id FROM shop.t" };
  const other: ShapedSketch = { name: "shop.other", kind: "full" };

  it("come last, readers before what they read", () => {
    const plan = planIn(worldOf(table, view, other), parser, [other]);
    expect(plan.decisions.map((decision) => `${decision.model}: ${summary(decision)}`)).toEqual([
      "shop.other: row 8 none keep",
      "shop.v: row - removed none",
      "shop.t: row - removed none",
    ]);
    expect(plan.of("shop.v")).toMatchObject({ next: null, reasons: [{ code: "model_removed" }] });
  });

  it("are nothing to an environment that never had them", () => {
    const plan = planIn(worldOf(table, other), parser, [other], { environment: "dev" });
    expect(plan.decisions.map((decision) => decision.model)).toEqual(["shop.other"]);
  });

  it("B19: one that is still read by name is a fault with its place", () => {
    const plan = planIn(worldOf(table, view), parser, [view]);
    expect(findRemovedReads(plan.facts.state.environment, plan.facts.project)).toEqual([
      {
        code: "reference_removed",
        model: "shop.t",
        reader: "shop.v",
        place: { path: "models/shop.v.sql", line: 1, column: 1 },
      },
    ]);
  });
});

describe("names", () => {
  it("two models with one query never share a physical name, even in one mapped schema", () => {
    const sketches: readonly ShapedSketch[] = [
      { name: "a.x", kind: "full" },
      { name: "b.x", kind: "full" },
      { name: "a.b__c", kind: "full" },
      { name: "a__b.c", kind: "full" },
    ];
    const plan = planIn(emptyWorld, parser, sketches);
    const mapped = {
      ...plan.facts.project,
      naming: {
        physicalSchemas: [{ pattern: ".*", schema: "store" }],
        physicalTable: "table_only",
        suffixTarget: "schema",
      },
    } as const;
    const inOne = planIn(emptyWorld, parser, sketches, { project: mapped });
    const names = inOne.decisions.map((decision) => JSON.stringify(decision.next?.relation));
    expect(new Set(names).size).toBe(sketches.length);
  });

  it("B12, B14: quoted names keep their case and stay apart", () => {
    const plan = planIn(emptyWorld, parser, [
      { name: '"Sales"."Orders"', kind: "full" },
      { name: 'shop."größe"', kind: "full" },
      { name: 'shop."grüße"', kind: "full", query: "SELECT 2 AS id" },
    ]);
    expect(plan.of('"Sales"."Orders"').next).toMatchObject({
      relation: { schema: "sqlmesh__Sales" },
      view: { schema: "Sales", name: "Orders" },
    });
    expect(plan.of('shop."größe"').next?.relation).not.toEqual(plan.of('shop."grüße"').next?.relation);
  });
});

describe("upgrades", () => {
  it("another release of the parser changes nothing: both sides are hashed again from what is stored", () => {
    const sketches: readonly ShapedSketch[] = [
      { name: "shop.t", kind: "full", query: "SELECT 1 AS id" },
      { name: "shop.v", query: "SELECT id FROM shop.t" },
    ];
    const world = worldOf(...sketches);
    const newer: SqlParser = { ...parser, version: "libpg-query 99" };
    const plan = planIn(world, newer, sketches);
    for (const decision of plan.decisions) {
      expect(summary(decision)).toBe("row 8 none keep");
      expect(decision.reasons).toEqual([]);
      expect(decision.next?.snapshot).toBe(decision.previous?.snapshot);
    }
    const edited = planIn(
      world,
      newer,
      sketches.map((each) =>
        each.name === "shop.v" ? { ...each, query: "SELECT id FROM shop.t WHERE id > 0" } : each,
      ),
    );
    expect(edited.decisions.map(summary)).toEqual(["row 8 none keep", "row 4 modified new create"]);
  });

  it("B30: a stored text that this parser refuses counts as changed, never as harmless", () => {
    const world = worldOf({ name: "shop.v", query: "SELECT 1 AS id" });
    const broken: World = {
      ...world,
      snapshots: new Map(
        [...world.snapshots].map(([id, snapshot]) => {
          const query = snapshot.model.query === null ? null : { ...snapshot.model.query, expanded: "SELECT @{gone}" };
          return [id, { ...snapshot, format: "0/older", model: { ...snapshot.model, query } }];
        }),
      ),
    };
    const plan = planIn(broken, parser, [{ name: "shop.v", query: "SELECT 1 AS id" }]);
    expect(plan.of("shop.v")).toMatchObject({ row: 4, category: "breaking", reasons: [{ code: "query_changed" }] });
  });
});
