import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { relationKey } from "../../../server/core/base/relation-name.ts";
import { hazardSeverity } from "../../../server/core/plan/hazards/hazard-codes.ts";
import type { Plan } from "../../../server/core/plan/plan.ts";
import { decodePlan, encodePlan } from "../../../server/core/plan/plan-codec.ts";
import { planResult } from "../../../server/core/plan/result.ts";
import { simulate } from "../../../server/core/plan/simulate.ts";
import { describePlan } from "../../../server/core/review/describe-plan.ts";
import { asksForCascade } from "../../../server/core/sql/cascade.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { buildStages } from "../../../server/core/stage/build-stages.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { anOutsideObject, type OutsideSketch } from "../../builders/catalog.ts";
import { applyTo, emptyWorld, planOf, type Shapes, type World } from "../../builders/plan.ts";
import { type ModelSketch, sketchedProject } from "../../builders/snapshot.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

/** A model of a made-up project: its columns, all `integer` or `text`, come from constants, so that any set of them binds. */
interface Made {
  readonly kind: "view" | "materialized_view" | "full" | "incremental_by_partition";
  readonly columns: readonly (readonly [string, "integer" | "text"])[];
  readonly parents: readonly number[];
  readonly salt: number;
  readonly tag: string;
  readonly description: string | null;
}

const columnNames = ["a", "b", "c", "d"];
const madeColumns = fc
  .subarray(columnNames, { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      fc.shuffledSubarray(names, { minLength: names.length }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    ),
  )
  .map(([names, texts]) => names.map((name, index) => [name, texts[index] === true ? "text" : "integer"] as const));

const madeModel = (index: number): fc.Arbitrary<Made> =>
  fc.record({
    kind: fc.constantFrom("view", "materialized_view", "full", "incremental_by_partition"),
    columns: madeColumns,
    parents: fc.subarray(
      Array.from({ length: index }, (_, each) => each),
      { maxLength: Math.min(2, index) },
    ),
    salt: fc.integer({ min: 0, max: 2 }),
    tag: fc.constantFrom("", "x", "y"),
    description: fc.constantFrom(null, "one", "it's two"),
  });

const madeProject = fc
  .integer({ min: 1, max: 5 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, index) => madeModel(index))));

/** The project before, and after some models were edited or taken away from the end. */
const edits = madeProject.chain((before) =>
  fc
    .tuple(
      ...before.map((model, index) =>
        fc.oneof({ weight: 2, arbitrary: fc.constant(model) }, { weight: 1, arbitrary: madeModel(index) }),
      ),
    )
    .chain((after) =>
      fc.tuple(
        fc.constant(before),
        fc.integer({ min: 1, max: after.length }).map((count) => after.slice(0, count)),
      ),
    ),
);

function sketches(models: readonly Made[]): readonly ModelSketch[] {
  return models.map((model, index) => ({
    name: `s.m${index}`,
    kind: model.kind,
    ...(model.kind === "incremental_by_partition" ? { partitionedBy: [model.columns[0]?.[0] ?? "a"] } : {}),
    query: queryOf(model),
    metadata: { tags: model.tag === "" ? [] : [model.tag], description: model.description },
  }));
}

function queryOf(model: Made): string {
  const items = model.columns.map(([name, type]) =>
    type === "text" ? `'${model.salt}'::text AS ${name}` : `${model.salt} AS ${name}`,
  );
  const reads = model.parents.map((parent) => `EXISTS (SELECT FROM s.m${parent})`);
  return `SELECT ${items.join(", ")}${reads.length === 0 ? "" : ` WHERE ${reads.join(" AND ")}`}`;
}

function shapesOf(models: readonly Made[]): Shapes {
  return Object.fromEntries(
    models.map((model, index) => [`s.m${index}`, model.columns.map(([name, type]) => `${name} ${type}`).join(", ")]),
  );
}

function worldOf(before: readonly Made[], outside: readonly OutsideSketch[] = []): World {
  const project = sketchedProject(parser, sketches(before));
  const first = planOf(parser, emptyWorld, project, shapesOf(before));
  return { ...applyTo(emptyWorld, project, first, parser), outside };
}

function planAfter(world: World, after: readonly Made[], destructive = true): Plan {
  const models = after.map((_, index) => `s.m${index}`);
  const wish = destructive ? { allowDestructive: models } : {};
  return planOf(parser, world, sketchedProject(parser, sketches(after)), shapesOf(after), wish);
}

const runs = { numRuns: 40 };

describe("laws of plans", { timeout: 30_000 }, () => {
  test("planning what is applied already is empty", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const world = worldOf(before);
        const plan = planAfter(world, after);
        if (planResult(plan.effects) !== "applicable") return;
        const applied = applyTo(world, sketchedProject(parser, sketches(after)), plan, parser);
        const again = planAfter(applied, after);
        expect({
          changes: again.effects.changes,
          actions: again.effects.actions,
          blockers: again.effects.blockers,
        }).toEqual({
          changes: [],
          actions: [],
          blockers: [],
        });
      }),
      runs,
    );
  });

  test("a plan carried out gives exactly the names and versions that it promises, and touches nothing that isn't there", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const world = worldOf(before);
        const plan = planAfter(world, after);
        if (planResult(plan.effects) !== "applicable") return;
        const { catalog, breaches } = simulate(plan.effects, world.catalog);
        expect(breaches).toEqual([]);
        const columnsOf = new Map(
          catalog.relations.map((each) => [relationKey(each.name), each.columns.map((column) => column.name)]),
        );
        for (const promoted of plan.effects.promotion) {
          if (promoted.view !== null) expect(columnsOf.get(relationKey(promoted.view))).toEqual(promoted.served);
          if (promoted.relation !== null)
            expect([...(columnsOf.get(relationKey(promoted.relation)) ?? [])].sort()).toEqual(
              promoted.columns.map((column) => column.name).sort(),
            );
        }
        const served = plan.effects.promotion.flatMap((each) => (each.view === null ? [] : [relationKey(each.view)]));
        const views = catalog.relations
          .filter((each) => each.name.schema === "s")
          .map((each) => relationKey(each.name));
        expect(views.sort()).toEqual(served.sort());
      }),
      runs,
    );
  });

  test("every action is in exactly one stage, in the plan's order", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const plan = planAfter(worldOf(before), after);
        if (planResult(plan.effects) !== "applicable") return;
        const staged = buildStages(plan).flatMap((stage) => {
          if (stage.kind === "promotion") return stage.transaction.actions;
          return "transactions" in stage ? stage.transactions.flatMap((transaction) => transaction.actions) : [];
        });
        expect(staged.map((action) => action.id)).toEqual(plan.effects.actions.map((action) => action.id));
      }),
      runs,
    );
  });

  test("no statement asks for cascade, and each has its time limit, with a short lock limit where readers would queue", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const plan = planAfter(worldOf(before), after);
        for (const statement of plan.effects.actions.flatMap((action) => action.statements)) {
          const parsed = parser.parse(statement.sql);
          expect(parsed.ok, statement.sql).toBe(true);
          if (parsed.ok) expect(parsed.statements.some((each) => asksForCascade(each.node))).toBe(false);
          expect(statement.statementTimeoutMs).not.toBeNull();
          if (statement.lock === "ACCESS EXCLUSIVE") expect(statement.lockTimeoutMs).toBeLessThanOrEqual(250);
        }
      }),
      runs,
    );
  });

  test("whatever drops something has a hazard of its own", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const plan = planAfter(worldOf(before), after);
        const drops = plan.effects.actions.filter((action) =>
          action.statements.some((each) => /\bDROP (VIEW|COLUMN|TABLE)\b/.test(each.sql)),
        );
        const bare = drops.filter((action) => action.hazards.length === 0);
        expect(bare).toEqual([]);
        for (const hazard of plan.effects.hazards) expect(hazardSeverity[hazard.code]).toBeDefined();
      }),
      runs,
    );
  });

  test("what is dropped of anybody else's comes back, and what can't blocks", () => {
    const outside = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.subarray(columnNames, { minLength: 1 })), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(edits, outside, ([before, after], objects) => {
        const world = worldOf(
          before,
          objects.flatMap(([index, columns], place) => {
            const model = before[index];
            const used = columns.filter((column) => model?.columns.some(([name]) => name === column));
            return model === undefined
              ? []
              : [anOutsideObject("view", `bi.v${place}`, "bi", { [`s.m${index}`]: used })];
          }),
        );
        const { effects } = planAfter(world, after);
        const ofKind = (kind: string) =>
          effects.actions.filter((action) => action.kind === kind).map((action) => relationKey(action.target));
        const dropped = ofKind("drop_object");
        expect([...dropped].sort()).toEqual([...ofKind("recreate_object")].sort());
        expect(simulate(effects, world.catalog).breaches).toEqual([]);
        const blocked = effects.dependents.filter((dependent) => dependent.fate === "blocked");
        expect(planResult(effects) === "blocked" || blocked.length === 0).toBe(true);
        // A name is dropped only once nothing hangs on it any more.
        const hanging = new Set(world.outside.flatMap((each) => Object.keys(each.uses)));
        const order = effects.actions.map((action) => action.kind);
        for (const [place, action] of effects.actions.entries()) {
          if (action.kind !== "drop_virtual_view" && action.kind !== "recreate_virtual_view") continue;
          const on = world.outside.filter((each) => relationKey(action.target) in each.uses);
          expect(on.filter((each) => !dropped.includes(relationKey(each.object)))).toEqual([]);
          if (on.length > 0) expect(order.lastIndexOf("drop_object")).toBeLessThan(place);
        }
        // A column that somebody uses keeps its place.
        for (const action of effects.actions.filter(
          (each) => each.kind === "replace_virtual_view" && hanging.has(relationKey(each.target)),
        )) {
          const was = world.catalog.relations.find((each) => relationKey(each.name) === relationKey(action.target));
          const served =
            effects.promotion.find(
              (each) => each.view !== null && relationKey(each.view) === relationKey(action.target),
            )?.served ?? [];
          expect(served.slice(0, was?.columns.length)).toEqual(was?.columns.map((column) => column.name));
        }
      }),
      runs,
    );
  });

  test("a stored plan reads back as it was, and no other text passes for it", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const plan = planAfter(worldOf(before), after);
        const text = encodePlan(plan);
        expect(decodePlan(text)).toEqual({ ok: true, value: plan });
        expect(decodePlan(text.replace('"submission":0', '"submission":1')).ok).toBe(false);
        expect(decodePlan(text.replace('"effects":{', '"effects":{"extra":1,')).ok).toBe(false);
        expect(decodePlan(text.replace(/"format":1/, '"format":2')).ok).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  test("the order of models and of wishes makes no difference", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const world = worldOf(before);
        const plan = planAfter(world, after);
        const models = after.map((_, index) => `s.m${index}`).reverse();
        const reversed = sketchedProject(parser, [...sketches(after)].reverse());
        const source = sketchedProject(parser, sketches(after)).source;
        const other = planOf(parser, world, { ...reversed, source }, shapesOf(after), { allowDestructive: models });
        expect(other.digest).toBe(plan.digest);
      }),
      { numRuns: 20 },
    );
  });

  test("what is shown has one node a thing and no edge into nowhere", () => {
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const world = worldOf(before, [anOutsideObject("view", "bi.v", "bi", { "s.m0": ["a"] })]);
        const { graph } = describePlan(planAfter(world, after), "open", world.snapshots);
        const ids = graph.nodes.map((node) => node.id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const edge of graph.edges) expect(ids).toEqual(expect.arrayContaining([edge.from, edge.to]));
        expect(new Set(graph.edges.map((edge) => `${edge.from} ${edge.to}`)).size).toBe(graph.edges.length);
      }),
      { numRuns: 20 },
    );
  });

  test("units keep their digest when another model, the promotion number or the submission changes", () => {
    const base: Made = { kind: "view", columns: [["a", "integer"]], parents: [], salt: 0, tag: "", description: null };
    const world = worldOf([base, base]);
    const one = planAfter(world, [{ ...base, salt: 1 }, base]);
    const two = planAfter(world, [
      { ...base, salt: 1 },
      { ...base, salt: 2 },
    ]);
    const digestOf = (plan: Plan, model: string) => plan.effects.units.find((unit) => unit.model === model)?.digest;
    expect(digestOf(two, "s.m0")).toBe(digestOf(one, "s.m0"));
    const wish = { allowDestructive: ["s.m0", "s.m1"], submission: 7 };
    const later = planOf(
      parser,
      world,
      sketchedProject(parser, sketches([{ ...base, salt: 1 }, base])),
      shapesOf([base, base]),
      wish,
    );
    expect(later.digest).not.toBe(one.digest);
    expect(digestOf(later, "s.m0")).toBe(digestOf(one, "s.m0"));
  });
});
