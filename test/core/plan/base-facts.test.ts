import { beforeAll, expect, test } from "vitest";
import { relationKey } from "../../../server/core/base/relation-name.ts";
import { baseRequest, movedFacts, parseRelationKey } from "../../../server/core/plan/base-facts.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { anOutsideObject } from "../../builders/catalog.ts";
import { applyTo, emptyWorld, factsOf, planOf, type World, withRelation } from "../../builders/plan.ts";
import { sketchedProject } from "../../builders/snapshot.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const shapes = { "s.a": "id integer" };

/** A plan that replaces one view, and what it relied on as it is after `change`. */
function movedBy(change: (world: World) => World): readonly string[] {
  const before = sketchedProject(parser, [{ name: "s.a", query: "SELECT 1 AS id" }]);
  const world = applyTo(emptyWorld, before, planOf(parser, emptyWorld, before, shapes), parser);
  const after = sketchedProject(parser, [{ name: "s.a", query: "SELECT 2 AS id" }]);
  const { base } = planOf(parser, world, after, shapes).effects;
  const now = factsOf(parser, change(world), after, shapes);
  return movedFacts(base, now.state, now.catalog);
}

test("nothing moved, nothing is said", () => {
  expect(movedBy((world) => world)).toEqual([]);
});

test("a comment by hand, a new dependent and another promotion each make the plan stale", () => {
  expect(movedBy((world) => withRelation(world, "s.a", (each) => ({ ...each, fingerprint: "other" })))).toEqual([
    "relation:s.a",
  ]);
  const dependent = anOutsideObject("view", "bi.v", "bi", { "s.a": ["id"] });
  expect(movedBy((world) => ({ ...world, outside: [dependent] }))).toEqual(["closure:s.a"]);
  const promoted = (world: World): World => ({
    ...world,
    environments: world.environments.map((each) => ({ ...each, promotion: each.promotion + 1 })),
  });
  expect(movedBy(promoted)).toEqual(["environment:prod"]);
});

test("keys name what has to be read again, odd names included", () => {
  const relation = { schema: 'A.b"c', name: "ü" };
  expect(parseRelationKey(relationKey(relation))).toEqual(relation);
  const base = [
    { key: `relation:${relationKey(relation)}`, hash: "" },
    { key: "closure:s.a", hash: "" },
    { key: "snapshot:s.a", hash: "" },
  ];
  expect(baseRequest(base)).toEqual({ relations: [relation], closures: [{ schema: "s", name: "a" }] });
});
