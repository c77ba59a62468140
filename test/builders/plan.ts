import { relationKey } from "../../server/core/base/relation-name.ts";
import type { Catalog, CatalogRelation } from "../../server/core/catalog/catalog.ts";
import { type Environment, type KnownVersion, PROD } from "../../server/core/environment/environment.ts";
import type { Project } from "../../server/core/model/project.ts";
import { beginPlan, buildPlan } from "../../server/core/plan/build-plan.ts";
import type { Facts, Shape, StateFacts } from "../../server/core/plan/facts.ts";
import type { Plan } from "../../server/core/plan/plan.ts";
import type { PlanOptions } from "../../server/core/plan/plan-options.ts";
import { simulate } from "../../server/core/plan/simulate.ts";
import { planReads } from "../../server/core/plan/touched.ts";
import { makeSnapshots } from "../../server/core/snapshot/fingerprint.ts";
import type { Snapshot } from "../../server/core/snapshot/snapshot.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { capturesOf } from "./captures.ts";
import { aCatalog, closuresOf, type OutsideSketch, outputColumnsOf } from "./catalog.ts";

/** A warehouse, a state and other people's objects, all as values: what plans are made against and applied to. */
export interface World {
  readonly catalog: Catalog;
  readonly environments: readonly Environment[];
  readonly versions: readonly KnownVersion[];
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly outside: readonly OutsideSketch[];
}

export const emptyWorld: World = {
  catalog: aCatalog(),
  environments: [],
  versions: [],
  snapshots: new Map(),
  outside: [],
};

/** `{ "shop.orders": "id integer, total numeric" }`; a text that begins with `!` is the reason why there is no shape. */
export type Shapes = { readonly [model: string]: string };

export interface PlanWish extends Partial<PlanOptions> {
  readonly environment?: string;
  readonly submission?: number;
}

export const noOptions: PlanOptions = { allowDestructive: [], accept: [], replaceProject: false };

export function factsOf(parser: SqlParser, world: World, project: Project, shapes: Shapes, wish: PlanWish = {}): Facts {
  const { environment = PROD, submission = 0, ...options } = wish;
  const snapshots = makeSnapshots(project, parser);
  const state = stateOf(world, project.name, environment);
  const reads = planReads(project, snapshots, state, environment);
  const asked = new Set([...reads.catalog.relations, ...reads.catalog.closures].map(relationKey));
  const ours = servedEdges(world);
  const relations = world.catalog.relations.filter(
    (relation) => asked.has(relationKey(relation.name)) || !isOurs(world, relation),
  );
  const typeOf = (name: string) => {
    const other = world.outside.find((each) => relationKey(each.object) === name);
    if (other !== undefined) return other.object.type;
    const kind = world.catalog.relations.find((each) => relationKey(each.name) === name)?.kind ?? "view";
    return kind.replaceAll("_", " ");
  };
  const present = reads.catalog.closures.filter((root) =>
    relations.some((each) => relationKey(each.name) === relationKey(root)),
  );
  const here = state.environment;
  return {
    project,
    snapshots,
    state,
    shapes: new Map(
      reads.shapes.flatMap((model) => (shapes[model] === undefined ? [] : [[model, shapeOf(shapes[model])] as const])),
    ),
    captures: { objects: [], defaultGrantees: [], rights: [] },
    catalog: {
      ...world.catalog,
      schemas: world.catalog.schemas.filter((schema) => reads.catalog.schemas.includes(schema.name)),
      relations,
      closures: closuresOf(present, [...world.outside, ...ours], typeOf),
      environmentMarker:
        here.promotion === 0 ? null : { promotion: here.promotion, digest: markers.get(here.planId ?? "") ?? "" },
    },
    request: {
      environment,
      gateway: "pg",
      engine: "postgres",
      options: { ...noOptions, ...options },
      now: "2026-01-01T00:00:00.000Z",
      author: "ilse",
      tool: "weir 0.1.0",
      folder: "shop",
      submission,
    },
  };
}

export function planOf(parser: SqlParser, world: World, project: Project, shapes: Shapes, wish: PlanWish = {}): Plan {
  const facts = factsOf(parser, world, project, shapes, wish);
  const begun = beginPlan(facts, parser);
  const captures = begun.ok ? capturesOf(facts.catalog, begun.value.captures) : facts.captures;
  const result = buildPlan({ ...facts, captures }, parser);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

const markers = new Map<string, string>();

/** The world after an apply that went well. */
export function applyTo(world: World, project: Project, plan: Plan, parser: SqlParser): World {
  const { effects } = plan;
  const { catalog, breaches } = simulate(effects, world.catalog);
  if (breaches.length > 0) throw new Error(`the plan isn't sound:\n${breaches.join("\n")}`);
  markers.set(plan.id, plan.digest);
  const environment: Environment = {
    project: project.name,
    name: effects.target.environment,
    promotion: effects.target.promotion + 1,
    planId: plan.id,
    promotedAt: plan.context.now,
    models: effects.promotion,
  };
  const environments = [
    ...world.environments.filter((each) => each.project !== environment.project || each.name !== environment.name),
    environment,
  ];
  const keyOf = (known: KnownVersion) => `${known.model} ${known.version} ${known.lookupKey}`;
  const versions = new Map([...world.versions, ...effects.versions].map((known) => [keyOf(known), known]));
  return {
    ...world,
    catalog: { ...catalog, internalReady: true },
    environments,
    versions: [...versions.values()].map((known) => ({ ...known, usedBy: usersOf(known, environments) })),
    snapshots: new Map([
      ...world.snapshots,
      ...[...makeSnapshots(project, parser).values()].map((snapshot) => [snapshot.id, snapshot] as const),
    ]),
  };
}

/** Somebody does something by hand. */
export function withRelation(
  world: World,
  name: string,
  change: (relation: CatalogRelation) => CatalogRelation,
): World {
  const relations = world.catalog.relations.map((relation) =>
    relationKey(relation.name) === name ? change(relation) : relation,
  );
  return { ...world, catalog: { ...world.catalog, relations } };
}

function stateOf(world: World, project: string, name: string): StateFacts {
  const own = world.environments.filter((each) => each.project === project);
  const none = { project, name, promotion: 0, planId: null, promotedAt: null, models: [] };
  const environment = own.find((each) => each.name === name) ?? none;
  const prod = name === PROD ? null : (own.find((each) => each.name === PROD) ?? null);
  const used = [...environment.models, ...(prod?.models ?? [])].map((each) => each.snapshot);
  return {
    environment,
    prod,
    others: world.environments.filter((each) => each !== environment && each !== prod),
    snapshots: new Map([...world.snapshots].filter(([id]) => used.includes(id))),
    versions: world.versions,
  };
}

function usersOf(known: KnownVersion, environments: readonly Environment[]): readonly string[] {
  return environments
    .filter((each) => each.models.some((model) => model.model === known.model && model.version === known.version))
    .map((each) => each.name)
    .sort();
}

/** Our virtual views hang on physical objects like anybody's view would. */
function servedEdges(world: World): readonly OutsideSketch[] {
  return world.environments.flatMap((environment) =>
    environment.models.flatMap((model): readonly OutsideSketch[] => {
      if (model.view === null || model.relation === null) return [];
      const object = { ...model.view, type: "view" };
      return [{ object, owner: "deploy", uses: { [relationKey(model.relation)]: model.served } }];
    }),
  );
}

function isOurs(world: World, relation: CatalogRelation): boolean {
  const key = relationKey(relation.name);
  return (
    world.versions.some((known) => relationKey(known.relation) === key) ||
    world.environments.some((each) =>
      each.models.some((model) => model.view !== null && relationKey(model.view) === key),
    )
  );
}

function shapeOf(text: string): Shape {
  if (!text.startsWith("!")) return { ok: true, columns: outputColumnsOf(text) };
  return { ok: false, reason: "model", message: text.slice(1).trim(), sqlstate: "42703", offset: null };
}
