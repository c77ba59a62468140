import { beforeAll, describe, expect, test } from "vitest";
import { buildPlan } from "../../../server/core/plan/build-plan.ts";
import type { Facts, Shape } from "../../../server/core/plan/facts.ts";
import { describeBlocker } from "../../../server/core/review/describe-blocker.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { anOutsideObject, aRelation } from "../../builders/catalog.ts";
import { applyTo, emptyWorld, factsOf, planOf, type World, withRelation } from "../../builders/plan.ts";
import { type ModelSketch, sketchedProject } from "../../builders/snapshot.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const a: ModelSketch = { name: "s.a", kind: "full", query: "SELECT 1 AS id" };
const b: ModelSketch = { name: "s.b", query: "SELECT id FROM s.a" };
const shapes = { "s.a": "id integer", "s.b": "id integer" };

function applied(): World {
  const project = sketchedProject(parser, [a, b]);
  return applyTo(emptyWorld, project, planOf(parser, emptyWorld, project, shapes), parser);
}

function blockersOf(facts: Facts): readonly string[] {
  const plan = buildPlan(facts, parser);
  if (!plan.ok) throw new Error(JSON.stringify(plan.problems));
  return plan.value.effects.blockers.map((blocker) => `${blocker.code}: ${describeBlocker(blocker)}`);
}

function edited(world: World): Facts {
  return factsOf(parser, world, sketchedProject(parser, [{ ...a, query: "SELECT 2 AS id" }, b]), shapes);
}

describe("what stands in the way is said before anything runs", () => {
  test("rights on the database, where schemas are missing", () => {
    const facts = factsOf(parser, emptyWorld, sketchedProject(parser, [a, b]), shapes);
    const server = { ...facts.catalog.server, mayCreateSchemas: false };
    expect(blockersOf({ ...facts, catalog: { ...facts.catalog, server } })).toEqual([
      "rights_missing: The role deploy lacks CREATE on database warehouse, to create s, sqlmesh__s, weir_internal.",
    ]);
  });

  test("rights in a schema of somebody else's", () => {
    const facts = edited(applied());
    const schemas = facts.catalog.schemas.map((schema) =>
      schema.name === "sqlmesh__s" ? { ...schema, owner: "dba", mayCreate: false } : schema,
    );
    expect(blockersOf({ ...facts, catalog: { ...facts.catalog, schemas } })).toEqual([
      "rights_missing: The role deploy lacks CREATE on schema sqlmesh__s, owned by dba.",
    ]);
  });

  test("a view that has to be replaced and belongs to somebody else", () => {
    const world = withRelation(applied(), "s.a", (relation) => ({ ...relation, owner: "dba", mayAlter: false }));
    expect(blockersOf(edited(world))).toEqual([
      "rights_missing: The role deploy lacks ownership on s.a, owned by dba.",
    ]);
  });

  test("a name that holds something which isn't ours", () => {
    const world = {
      ...emptyWorld,
      catalog: { ...emptyWorld.catalog, relations: [aRelation({ name: "s.a", kind: "table", owner: "app" })] },
    };
    const facts = factsOf(parser, world, sketchedProject(parser, [a, b]), shapes);
    expect(blockersOf(facts)).toEqual([
      "environment_foreign_object: The name s.a is taken by table s.a (owner app), which Weir didn't make. Rename the model, or move that object away.",
    ]);
  });

  test("a name that another project serves", () => {
    const other = sketchedProject(parser, [a], { name: "finance" });
    const world = applyTo(emptyWorld, other, planOf(parser, emptyWorld, other, shapes), parser);
    const facts = factsOf(parser, world, sketchedProject(parser, [a, b]), shapes);
    expect(blockersOf(facts)).toEqual([
      "name_claimed: s.a of s.a is already served by finance/prod s.a. Rename the model, or remove it there first.",
    ]);
  });

  test("a warehouse that was restored from a backup", () => {
    const facts = edited(applied());
    const [found] = blockersOf({ ...facts, catalog: { ...facts.catalog, environmentMarker: null } });
    expect(found).toMatch(
      /^state_disagrees: State and warehouse disagree about prod \(restored backup\?\): state says promotion 1 by plan \w{12}, the warehouse no promotion\.$/,
    );
  });

  test("a state that was restored from a backup", () => {
    const facts = factsOf(parser, emptyWorld, sketchedProject(parser, [a, b]), shapes);
    const environmentMarker = { promotion: 3, digest: "0".repeat(64) };
    expect(blockersOf({ ...facts, catalog: { ...facts.catalog, environmentMarker } })).toEqual([
      "state_disagrees: State and warehouse disagree about prod (restored backup?): state says promotion 0, the warehouse promotion 3 by plan aaaaaaaaaaaa.",
    ]);
  });

  test("types that the place for shapes lacks, by model", () => {
    const facts = factsOf(parser, emptyWorld, sketchedProject(parser, [a, b]), shapes);
    const lacking: ReadonlyMap<string, Shape> = new Map<string, Shape>([
      ["s.a", { ok: false, reason: "missing", what: 'type "geometry"' }],
      ["s.b", { ok: false, reason: "parent", model: "s.a" }],
    ]);
    const found = blockersOf({ ...facts, shapes: lacking });
    expect(found).toEqual([
      'shape_missing: The columns of s.a (models/s.a.sql) can\'t be found out: type "geometry". Set the gateway\'s "shadow" to the warehouse or to a scratch database that has it.',
    ]);
  });

  test("another project's folder, and it can be meant so", () => {
    const before = sketchedProject(parser, [a, b], { name: "" });
    const world = applyTo(emptyWorld, before, planOf(parser, emptyWorld, before, shapes), parser);
    const after = sketchedProject(parser, [{ ...a, name: "s.z" }], { name: "" });
    const shapesAfter = { "s.z": "id integer" };
    expect(planOf(parser, world, after, shapesAfter).effects.blockers.map((blocker) => blocker.code)).toEqual([
      "other_project",
    ]);
    const meant = planOf(parser, world, after, shapesAfter, { replaceProject: true });
    expect(meant.effects.blockers).toEqual([]);
    expect(meant.effects.hazards[0]?.code).toBe("environment_replaced");
  });

  test("a column that another environment's name still shows, and what stands on that name", () => {
    const f: ModelSketch = {
      name: "s.f",
      kind: "incremental_by_partition",
      partitionedBy: ["id"],
      query: "SELECT 1 AS id, 2 AS gone",
    };
    const before = sketchedProject(parser, [f]);
    const wide = { "s.f": "id integer, gone integer" };
    let world = applyTo(emptyWorld, before, planOf(parser, emptyWorld, before, wide), parser);
    world = applyTo(world, before, planOf(parser, world, before, wide, { environment: "qa" }), parser);
    const outside = [anOutsideObject("view", "bi.on_qa", "bi_owner", { "s__qa.f": ["id"] })];
    world = { ...world, outside };
    const after = sketchedProject(parser, [{ ...f, query: "SELECT 1 AS id" }]);
    const facts = factsOf(parser, world, after, { "s.f": "id integer" }, { allowDestructive: ["s.f"] });
    expect(blockersOf(facts)).toEqual([
      expect.stringMatching(
        /^outside_object_lost: Behind what can't stay on .*: view bi\.on_qa \(owner bi_owner\) uses column id\./,
      ),
      expect.stringMatching(
        /^version_in_use: gone of sqlmesh__s\.s__f__\w+ can't go: view s__qa\.f \(owner deploy\) of the environment qa still reads it\.$/,
      ),
    ]);
  });
});
