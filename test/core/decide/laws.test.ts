import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { relationKey } from "../../../server/core/base/relation-name.ts";
import { type KindTag, kindCapabilities } from "../../../server/core/model/model-kind.ts";
import { decide } from "../../../server/core/plan/decide.ts";
import type { Decision } from "../../../server/core/plan/decision.ts";
import type { Shape } from "../../../server/core/plan/facts.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import {
  aCatalog,
  applied,
  emptyWorld,
  type Planned,
  planIn,
  type ShapedSketch,
  summary,
  type World,
} from "../../builders/facts.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const RUNS = { numRuns: 25 };
const KINDS: readonly KindTag[] = ["view", "materialized_view", "full", "embedded", "incremental_by_partition"];

/** A project as a few numbers a model, so that an edit is another number. */
interface Gene {
  readonly kind: number;
  readonly parents: readonly number[];
  readonly literal: number;
  readonly extra: number;
  readonly tag: number;
  readonly index: number;
}

const gene: fc.Arbitrary<Gene> = fc.record({
  kind: fc.nat({ max: KINDS.length - 1 }),
  parents: fc.array(fc.nat({ max: 4 }), { maxLength: 2 }),
  literal: fc.nat({ max: 2 }),
  extra: fc.nat({ max: 1 }),
  tag: fc.nat({ max: 1 }),
  index: fc.nat({ max: 1 }),
});
const genes = fc.array(gene, { minLength: 1, maxLength: 5 });

function sketchesOf(all: readonly Gene[]): readonly ShapedSketch[] {
  return all.map((own, place) => {
    const parents = [...new Set(own.parents.map((parent) => parent % Math.max(place, 1)))].filter(
      (parent) => parent < place,
    );
    const from = parents.map((parent, index) => `shop.m${parent} p${index}`).join(" CROSS JOIN ");
    const id = parents.length === 0 ? `${own.literal} AS id` : "p0.id";
    const extra = own.extra === 0 ? "" : ", 1 AS extra";
    const where = parents.length === 0 ? "" : ` FROM ${from} WHERE p0.id <> ${own.literal}`;
    const kind = KINDS[own.kind] ?? "view";
    return {
      name: `shop.m${place}`,
      kind,
      query: `SELECT ${id}${extra}${where}`,
      shape: own.extra === 0 ? "id integer" : "id integer, extra integer",
      partitionedBy: kind === "incremental_by_partition" ? ["id"] : [],
      metadata: { tags: [`t${own.tag}`] },
      physicalProperties: own.index === 0 ? {} : { indexes: ["(id)"] },
    };
  });
}

/** Projects applied one after another, each to prod or dev. */
const history = fc.array(fc.record({ genes, environment: fc.constantFrom("prod", "dev") }), { maxLength: 4 });

function worldAfter(steps: readonly { readonly genes: readonly Gene[]; readonly environment: string }[]): World {
  return steps.reduce<World>(
    (world, step) => applied(world, planIn(world, parser, sketchesOf(step.genes), step)),
    emptyWorld,
  );
}

const relationOf = (decision: Decision) => (decision.next?.relation ? relationKey(decision.next.relation) : null);

describe("laws of deciding", () => {
  it("what was applied is planned as nothing: rows 8 without reasons, the same snapshots and versions", () => {
    fc.assert(
      fc.property(history, genes, fc.constantFrom("prod", "dev"), (steps, last, environment) => {
        const before = worldAfter(steps);
        const world = applied(before, planIn(before, parser, sketchesOf(last), { environment }));
        for (const decision of planIn(world, parser, sketchesOf(last), { environment }).decisions) {
          expect([decision.row ?? 8, decision.change, decision.reasons, decision.path]).toEqual([8, "none", [], []]);
          expect([decision.create, decision.fill, decision.alter, decision.inPlace]).toEqual([
            false,
            "none",
            null,
            false,
          ]);
          expect(decision.next?.snapshot).toBe(decision.previous?.snapshot);
          expect(decision.next?.relation).toEqual(decision.previous?.relation);
        }
      }),
      RUNS,
    );
  });

  it("the order of files changes no decision", () => {
    fc.assert(
      fc.property(history, genes, fc.integer(), (steps, last, seed) => {
        const world = worldAfter(steps);
        const sketches = sketchesOf(last);
        const shuffled = [...sketches].sort(
          (a, b) => ((a.name.charCodeAt(6) * 31 + seed) % 7) - ((b.name.charCodeAt(6) * 31 + seed) % 7),
        );
        expect(planIn(world, parser, shuffled).decisions).toEqual(planIn(world, parser, sketches).decisions);
      }),
      RUNS,
    );
  });

  it("planReads never asks for too little: with all shapes and the whole catalog the decisions are the same", () => {
    fc.assert(
      fc.property(history, genes, fc.constantFrom("prod", "dev"), (steps, last, environment) => {
        const world = worldAfter(steps);
        const sketches = sketchesOf(last);
        const plan = planIn(world, parser, sketches, { environment });
        const shapes = new Map<string, Shape>(
          sketches.map(({ name, shape }) => {
            const columns = (shape ?? "").split(", ").map((column) => column.split(" "));
            return [
              name,
              { ok: true, columns: columns.map(([own = "", type = ""]) => ({ name: own, type, collation: null })) },
            ];
          }),
        );
        const all = { ...plan.facts, shapes, catalog: aCatalog(world.relations) };
        expect(decide(all, parser)).toEqual(plan.decisions);
      }),
      RUNS,
    );
  });

  it("labels and in-place properties never move, build, fill or alter anything", () => {
    const relabel = fc.array(fc.record({ tag: fc.nat({ max: 1 }), index: fc.nat({ max: 1 }) }), {
      minLength: 5,
      maxLength: 5,
    });
    fc.assert(
      fc.property(genes, relabel, (last, labels) => {
        const world = worldAfter([{ genes: last, environment: "prod" }]);
        const relabelled = last.map((own, place) => ({ ...own, ...labels[place] }));
        for (const decision of planIn(world, parser, sketchesOf(relabelled)).decisions) {
          expect([null, 3, 8]).toContain(decision.row);
          expect(["metadata", "none"]).toContain(decision.change);
          expect([decision.moved, decision.differs, decision.create, decision.fill, decision.alter]).toEqual([
            false,
            false,
            false,
            "none",
            null,
          ]);
          expect(decision.next?.relation).toEqual(decision.previous?.relation);
        }
      }),
      RUNS,
    );
  });

  it("names: no two models share one, and what is new was never there", () => {
    fc.assert(
      fc.property(history, genes, fc.constantFrom("prod", "dev"), (steps, last, environment) => {
        const world = worldAfter(steps);
        const { decisions } = planIn(world, parser, sketchesOf(last), { environment });
        const names = decisions.map(relationOf).filter((name) => name !== null);
        expect(new Set(names).size).toBe(names.length);
        const known = new Set(world.versions.map((version) => relationKey(version.relation)));
        for (const decision of decisions) {
          if (decision.outcome === "new") expect(known.has(relationOf(decision) ?? "")).toBe(false);
        }
      }),
      RUNS,
    );
  });

  it("prod serves no preview, dev writes nothing that it borrowed, and no view is left on a name that moved", () => {
    fc.assert(
      fc.property(history, genes, fc.constantFrom("prod", "dev"), (steps, last, environment) => {
        const plan: Planned = planIn(worldAfter(steps), parser, sketchesOf(last), { environment });
        for (const decision of plan.decisions) {
          const { next, alter, fill, outcome } = decision;
          if (environment === "prod") expect([next?.preview ?? false, next?.borrowed ?? false]).toEqual([false, false]);
          if (next?.borrowed) expect([fill, alter, decision.create]).toEqual(["none", null, false]);
          const kind = plan.facts.project.models.find((model) => model.key === decision.model)?.kind.kind;
          if (kind !== undefined && kindCapabilities[kind].binding === "bound" && decision.moved) {
            // Kept in relation to what is served, under whatever word: then the name is the same.
            expect(outcome === "keep" ? summary(decision) : "not kept").toBe("not kept");
          }
        }
      }),
      RUNS,
    );
  });

  it("every decision that does something says why and whence", () => {
    fc.assert(
      fc.property(history, genes, fc.constantFrom("prod", "dev"), (steps, last, environment) => {
        for (const decision of planIn(worldAfter(steps), parser, sketchesOf(last), { environment }).decisions) {
          const acts = decision.change !== "none" || decision.create || decision.fill !== "none" || decision.inPlace;
          if (acts) expect(decision.reasons.length).toBeGreaterThan(0);
          if (decision.change !== "none") expect(decision.path[0]).toBe(decision.model);
          for (const step of decision.path.slice(1)) expect(step).toMatch(/^shop\.m\d$/);
        }
      }),
      RUNS,
    );
  });
});
