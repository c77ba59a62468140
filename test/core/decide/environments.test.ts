import { beforeAll, describe, expect, it } from "vitest";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { applied, emptyWorld, planIn, type ShapedSketch, summary, type World } from "../../builders/facts.ts";

let parser: SqlParser;
let prod: World;

const top: ShapedSketch = { name: "shop.top", kind: "full", query: "SELECT 1 AS id" };
const middle: ShapedSketch = { name: "shop.middle", query: "SELECT id FROM shop.top" };
const history: ShapedSketch = {
  name: "shop.history",
  kind: "incremental_by_partition",
  partitionedBy: ["id"],
  query: "SELECT id FROM shop.middle",
};
const report: ShapedSketch = { name: "shop.report", kind: "full", query: "SELECT id FROM shop.history" };
const project = [top, middle, history, report];

const dev = { environment: "dev" };
const edit = (sketch: ShapedSketch, query: string) =>
  project.map((each) => (each === sketch ? { ...each, query } : each));

beforeAll(async () => {
  parser = await loadSqlParser();
  prod = applied(emptyWorld, planIn(emptyWorld, parser, project));
});

describe("a new environment", () => {
  it("of an unchanged project takes prod's versions, borrowed, and makes nothing but views", () => {
    const plan = planIn(prod, parser, project, dev);
    expect(plan.facts.shapes.size).toBe(0);
    for (const decision of plan.decisions) {
      expect(summary(decision)).toBe("row 8 none reuse");
      expect(decision).toMatchObject({ previous: null, reasons: [{ code: "new_environment" }], inPlace: false });
      expect(decision.next).toMatchObject({
        version: decision.compared?.version,
        relation: decision.compared?.relation,
        borrowed: true,
        view: { schema: "shop__dev", name: decision.compared?.view?.name },
      });
    }
  });

  it("builds only what was changed and what hangs on it", () => {
    const plan = planIn(prod, parser, edit(middle, "SELECT id FROM shop.top WHERE id > 0"), dev);
    expect(plan.decisions.map((decision) => `${decision.model}: ${summary(decision)}`)).toEqual([
      "shop.top: row 8 none reuse",
      "shop.middle: row 4 modified new create",
      "shop.history: row 5 indirect new create build",
      "shop.report: row 5 indirect new create build",
    ]);
    expect(plan.of("shop.middle").next?.preview).toBe(false);
    expect(plan.of("shop.history").next?.relation?.name).toMatch(/^shop__history__[a-z2-7]{10}__dev$/);
    // Its rows come from the preview: prod must never take them for its own.
    expect(plan.of("shop.report").next).toMatchObject({ preview: true, borrowed: false });
  });

  it("where nothing was ever in prod everything is new", () => {
    const plan = planIn(emptyWorld, parser, project, dev);
    expect(plan.decisions.map(summary)).toEqual([
      "row 1 added new create build",
      "row 1 added new create",
      "row 1 added new create build",
      "row 1 added new create build",
    ]);
  });
});

describe("from dev to prod", () => {
  it("what dev built is taken, not built again; previews are left behind and history is altered", () => {
    const edited = edit(top, "SELECT 2 AS id");
    const inDev = planIn(prod, parser, edited, dev);
    const later = applied(prod, inDev);
    const plan = planIn(later, parser, edited);
    expect(plan.decisions.map((decision) => `${decision.model}: ${summary(decision)}`)).toEqual([
      "shop.top: row 2 modified reuse",
      "shop.middle: row 2 indirect reuse",
      "shop.history: row 5 indirect keep",
      "shop.report: row 6 indirect keep",
    ]);
    for (const model of ["shop.top", "shop.middle"]) {
      expect(plan.of(model).next?.relation).toEqual(inDev.of(model).next?.relation);
    }
    for (const decision of plan.decisions) expect(decision.next).toMatchObject({ preview: false, borrowed: false });
  });

  it("dev stays as it is when prod moves on, and its next plan is empty", () => {
    const inDev = applied(prod, planIn(prod, parser, project, dev));
    const later = applied(inDev, planIn(inDev, parser, edit(top, "SELECT 2 AS id")));
    const plan = planIn(later, parser, project, dev);
    expect(plan.decisions.map(summary)).toEqual(Array(4).fill("row 8 none keep"));
  });

  it("a model that dev has alone is dev's own, until prod uses it", () => {
    const alone: ShapedSketch = { name: "shop.alone", kind: "full", query: "SELECT 7 AS id" };
    const inDev = applied(prod, planIn(prod, parser, [...project, alone], dev));
    expect(planIn(inDev, parser, [...project, alone], dev).of("shop.alone").next?.borrowed).toBe(false);
    expect(planIn(inDev, parser, [...project, alone], { environment: "qa" }).of("shop.alone").next?.borrowed).toBe(
      true,
    );
    expect(summary(planIn(inDev, parser, [...project, alone]).of("shop.alone"))).toBe("row 2 added reuse");
    const both = applied(inDev, planIn(inDev, parser, [...project, alone]));
    expect(planIn(both, parser, [...project, alone], dev).of("shop.alone").next?.borrowed).toBe(true);
  });

  it("going back and forth in dev takes the same preview again", () => {
    const one = edit(history, "SELECT id FROM shop.middle WHERE id > 1");
    const two = edit(history, "SELECT id FROM shop.middle WHERE id > 2");
    const first = planIn(prod, parser, one, dev);
    const second = planIn(applied(prod, first), parser, two, dev);
    const third = planIn(applied(applied(prod, first), second), parser, one, dev);
    expect(summary(third.of("shop.history"))).toBe("row 4 modified reuse");
    expect(third.of("shop.history").next?.relation).toEqual(first.of("shop.history").next?.relation);
    // Another environment never takes it.
    const elsewhere = planIn(applied(prod, first), parser, one, { environment: "qa" });
    expect(elsewhere.of("shop.history").outcome).toBe("new");
    expect(elsewhere.of("shop.history").next?.relation).not.toEqual(first.of("shop.history").next?.relation);
  });
});

describe("forward-only history in prod", () => {
  it("going back is a forward-only change as well: the table is altered again, never swapped", () => {
    const grown = project.map((each) =>
      each === history
        ? { ...each, query: "SELECT id, id * 2 AS twice FROM shop.middle", shape: "id integer, twice integer" }
        : each,
    );
    const later = applied(prod, planIn(prod, parser, grown));
    const back = planIn(later, parser, project).of("shop.history");
    expect(summary(back)).toBe("row 4 modified keep");
    expect(back.alter?.removed.map((column) => column.name)).toEqual(["twice"]);
    expect(back.next?.relation).toEqual(back.previous?.relation);
  });

  it("a table that was altered is never taken for what it was, under whichever key it is recorded", () => {
    const grown = {
      ...history,
      query: "SELECT id, id * 2 AS twice FROM shop.middle",
      shape: "id integer, twice integer",
    };
    const altered = applied(prod, planIn(prod, parser, [top, middle, grown]));
    const first = altered.versions.filter((known) => known.model === "shop.history");
    expect(first.map((known) => known.pristine)).toContain(false);
    // Dropped from prod, then wanted again as it was first.
    const gone = applied(altered, planIn(altered, parser, [top, middle]));
    const again = planIn(gone, parser, [top, middle, history]).of("shop.history");
    expect(summary(again)).toBe("row 1 added new create build");
    expect(first.map((known) => known.version)).not.toContain(again.next?.version);
  });

  it("another partitioning starts anew", () => {
    const plan = planIn(
      prod,
      parser,
      project.map((each) => (each === history ? { ...each, partitionedBy: ["id % 2"] } : each)),
    );
    expect(plan.of("shop.history")).toMatchObject({ row: 1, category: "breaking", fill: "build" });
    expect(plan.of("shop.history").reasons).toEqual([{ code: "partitioning_changed" }]);
    expect(plan.of("shop.history").next?.relation).not.toEqual(plan.of("shop.history").previous?.relation);
  });
});
