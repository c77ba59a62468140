import { beforeAll, describe, expect, it } from "vitest";
import { relationKey } from "../../../server/core/base/relation-name.ts";
import { planReads } from "../../../server/core/plan/touched.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { applied, emptyWorld, planIn, type ShapedSketch, stateOf, type World } from "../../builders/facts.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const source: ShapedSketch = { name: "shop.source", kind: "full", query: "SELECT id FROM raw.orders" };
const middle: ShapedSketch = { name: "shop.middle", query: "SELECT id FROM shop.source" };
const foot: ShapedSketch = { name: "shop.foot", query: "SELECT id FROM shop.middle" };
const aside: ShapedSketch = { name: "shop.aside", kind: "full", query: "SELECT id FROM legacy" };
const project = [source, middle, foot, aside];

function readsOf(world: World, sketches: readonly ShapedSketch[], environment = "prod") {
  const { facts } = planIn(world, parser, sketches, { environment });
  const reads = planReads(facts.project, facts.snapshots, stateOf(world, environment), environment);
  const physical = (model: string) => {
    const found = world.environments[0]?.models.find((each) => each.model === model)?.relation;
    return found ? relationKey(found) : "";
  };
  return {
    reads,
    physical,
    relations: reads.catalog.relations.map(relationKey),
    closures: reads.catalog.closures.map(relationKey),
    externals: reads.externals.map(relationKey),
  };
}

describe("what a plan must read", () => {
  it("first plan: every shape, what it reads from outside, and whatever stands in its names already", () => {
    const { reads, closures, externals } = readsOf(emptyWorld, project);
    expect(reads.shapes).toEqual(["shop.aside", "shop.source", "shop.middle", "shop.foot"]);
    expect(externals).toEqual(["public.legacy", "raw.orders"]);
    expect(closures).toEqual(["shop.aside", "shop.foot", "shop.middle", "shop.source"]);
    expect(reads.catalog.schemas).toEqual(["public", "raw", "shop", "sqlmesh__shop"]);
  });

  it("nothing changed: no shape, no closure, only whether all that is promoted is still there", () => {
    const world = applied(emptyWorld, planIn(emptyWorld, parser, project));
    const { reads, relations, closures, externals, physical } = readsOf(world, project);
    expect([reads.shapes, closures, externals]).toEqual([[], [], []]);
    expect(relations).toEqual(
      ["shop.aside", "shop.foot", "shop.middle", "shop.source"].flatMap((model) => [model, physical(model)]).sort(),
    );
  });

  it("one view changed: its shape with what is above it, closures of it and of what is below it", () => {
    const world = applied(emptyWorld, planIn(emptyWorld, parser, project));
    const edited = [source, { ...middle, query: "SELECT id FROM shop.source WHERE id > 0" }, foot, aside];
    const { reads, closures, externals, physical } = readsOf(world, edited);
    expect(reads.shapes).toEqual(["shop.source", "shop.middle", "shop.foot"]);
    expect(externals).toEqual(["raw.orders"]);
    expect(closures).toEqual(["shop.middle", physical("shop.middle"), "shop.foot", physical("shop.foot")].sort());
  });

  it("a label changed: nothing more than for no change", () => {
    const world = applied(emptyWorld, planIn(emptyWorld, parser, project));
    const tagged = [{ ...source, metadata: { tags: ["a"] } }, middle, foot, aside];
    expect(readsOf(world, tagged).reads).toEqual(readsOf(world, project).reads);
  });

  it("a removed model: closures of its view and its object", () => {
    const world = applied(emptyWorld, planIn(emptyWorld, parser, project));
    const { reads, closures, physical } = readsOf(world, [source, middle, aside]);
    expect(reads.shapes).toEqual([]);
    expect(closures).toEqual(["shop.foot", physical("shop.foot")].sort());
  });

  it("a new environment: its own names, whoever has them, and prod's objects", () => {
    const world = applied(emptyWorld, planIn(emptyWorld, parser, project));
    const { reads, relations, physical } = readsOf(world, project, "dev");
    expect(reads.shapes).toEqual([]);
    expect(relations).toContain("shop__dev.foot");
    expect(relations).toContain(physical("shop.foot"));
    expect(reads.catalog.schemas).toContain("shop__dev");
  });

  it("relations of the server itself are never stubs", () => {
    const { externals } = readsOf(emptyWorld, [
      { name: "shop.meta", query: "SELECT 1 AS id FROM pg_catalog.pg_class, information_schema.tables" },
    ]);
    expect(externals).toEqual([]);
  });
});
