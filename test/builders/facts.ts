import { type Hash, hashText } from "../../server/core/base/hash.ts";
import { compareText, type RelationName, relationKey } from "../../server/core/base/relation-name.ts";
import type { Catalog, CatalogRelation } from "../../server/core/catalog/catalog.ts";
import { type Environment, type KnownVersion, PROD } from "../../server/core/environment/environment.ts";
import type { Project } from "../../server/core/model/project.ts";
import { decide } from "../../server/core/plan/decide.ts";
import type { Decision } from "../../server/core/plan/decision.ts";
import type { Facts, Shape, StateFacts } from "../../server/core/plan/facts.ts";
import { planReads } from "../../server/core/plan/touched.ts";
import { makeSnapshots } from "../../server/core/snapshot/fingerprint.ts";
import type { Snapshot } from "../../server/core/snapshot/snapshot.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { anEnvironment } from "./environment.ts";
import { columnsOf, type ModelSketch, sketchedProject } from "./snapshot.ts";

/** State and warehouse of a whole installation, as values: what plans are made from, and what applying one leaves. */
export interface World {
  readonly environments: readonly Environment[];
  readonly snapshots: ReadonlyMap<Hash, Snapshot>;
  readonly versions: readonly KnownVersion[];
  readonly relations: readonly RelationName[];
}

export const emptyWorld: World = { environments: [], snapshots: new Map(), versions: [], relations: [] };

/** A sketch with the shape that a server would find; `id integer` where nothing is said. */
export interface ShapedSketch extends ModelSketch {
  readonly shape?: string;
}

export interface Planned {
  readonly facts: Facts;
  readonly decisions: readonly Decision[];
  /** The decision on one model; fails where there is none. */
  readonly of: (model: string) => Decision;
}

/** Reads exactly what `planReads` asks for, so that whatever a decision needs beyond that is missing here, too. */
export function planIn(
  world: World,
  parser: SqlParser,
  sketches: readonly ShapedSketch[],
  given: { readonly environment?: string; readonly project?: Project } = {},
): Planned {
  const environment = given.environment ?? PROD;
  const project = given.project ?? sketchedProject(parser, sketches);
  const snapshots = makeSnapshots(project, parser);
  const state = stateOf(world, environment);
  const reads = planReads(project, snapshots, state, environment);
  const shapes = new Map(
    reads.shapes.map((key) => [key, shapeOf(sketches.find((sketch) => sketch.name === key))] as const),
  );
  const asked = new Set(reads.catalog.relations.map(relationKey));
  const facts: Facts = {
    project,
    snapshots,
    state,
    shapes,
    catalog: aCatalog(world.relations.filter((relation) => asked.has(relationKey(relation)))),
    captures: { objects: [], defaultGrantees: [], rights: [] },
    request: {
      environment,
      gateway: "pg",
      engine: "postgres",
      options: { allowDestructive: [], accept: [], replaceProject: false },
      now: "2024-06-01T00:00:00.000Z",
      author: "ilse",
      tool: "weir 0.1.0",
      folder: "/shop",
      submission: 1,
    },
  };
  const decisions = decide(facts, parser);
  const of = (model: string) => {
    const found = decisions.find((decision) => decision.model === model);
    if (found === undefined) throw new Error(`no decision on ${model}`);
    return found;
  };
  return { facts, decisions, of };
}

/** What state and warehouse hold once a plan of these decisions was carried out. */
export function applied(world: World, { facts, decisions }: Planned): World {
  const name = facts.request.environment;
  const before = facts.state.environment;
  const models = decisions
    .flatMap(({ model, next }) => {
      if (next === null) return [];
      const { snapshot, version, relation, view, columns } = next;
      return { model, snapshot, version, relation, view, columns, served: columns.map((column) => column.name) };
    })
    .sort((a, b) => compareText(a.model, b.model));
  const environment: Environment = { ...before, promotion: before.promotion + 1, models };
  const environments = [...world.environments.filter((each) => each.name !== name), environment];
  const recorded = decisions.reduce((versions, decision) => recordVersion(versions, decision, facts), world.versions);
  const dropped = new Set(before.models.flatMap(({ view }) => (view === null ? [] : relationKey(view))));
  const made = models.flatMap(({ relation, view }) => [relation, view].filter((each) => each !== null));
  const relations = new Map(
    [...world.relations.filter((relation) => !dropped.has(relationKey(relation))), ...made].map((relation) => [
      relationKey(relation),
      relation,
    ]),
  );
  return {
    environments,
    snapshots: new Map([...world.snapshots, ...[...facts.snapshots.values()].map((each) => [each.id, each] as const)]),
    versions: recorded.map((known) => withUsers(known, environments)),
    relations: [...relations.values()],
  };
}

/** The warehouse without some relations, as if somebody had dropped them. */
export function without(world: World, ...lost: readonly (RelationName | null | undefined)[]): World {
  const keys = new Set(lost.flatMap((relation) => (relation ? relationKey(relation) : [])));
  return { ...world, relations: world.relations.filter((relation) => !keys.has(relationKey(relation))) };
}

export function stateOf(world: World, environment: string): StateFacts {
  const find = (name: string) => world.environments.find((each) => each.name === name);
  return {
    environment: find(environment) ?? anEnvironment({ name: environment }),
    prod: environment === PROD ? null : (find(PROD) ?? null),
    others: world.environments.filter((each) => each.name !== environment),
    snapshots: world.snapshots,
    versions: world.versions,
  };
}

export function aCatalog(relations: readonly RelationName[], given: Partial<Catalog> = {}): Catalog {
  return {
    server: {
      version: 180004,
      database: "shop",
      role: "weir",
      superuser: false,
      mayCreateSchemas: true,
      deadlockTimeoutMs: 1000,
      lockSlots: 6400,
    },
    schemas: [],
    relations: relations.map((name) => aRelation({ name })),
    closures: [],
    environmentMarker: null,
    internalReady: true,
    ...given,
  };
}

export function aRelation(given: Partial<CatalogRelation> & { readonly name: RelationName }): CatalogRelation {
  return {
    kind: "view",
    owner: "weir",
    mayAlter: true,
    columns: [],
    options: [],
    grants: [],
    comment: null,
    indexes: [],
    rules: [],
    triggers: [],
    definition: null,
    populated: null,
    estimatedRows: null,
    bytes: null,
    extension: null,
    fingerprint: hashText(relationKey(given.name)),
    ...given,
  };
}

function shapeOf(sketch: ShapedSketch | undefined): Shape {
  const columns = columnsOf(sketch?.shape ?? sketch?.columns ?? "id integer");
  return { ok: true, columns: columns.map((column) => ({ ...column, collation: null })) };
}

function recordVersion(versions: readonly KnownVersion[], decision: Decision, facts: Facts): readonly KnownVersion[] {
  const { next, model } = decision;
  const snapshot = facts.snapshots.get(model);
  if (next === null || next.version === null || next.lookupKey === null || snapshot === undefined) return versions;
  if (next.relation === null) return versions;
  const written = decision.create || decision.fill !== "none" || next.known === null;
  const altered = decision.alter !== null;
  const record: KnownVersion = {
    project: facts.project.name,
    model,
    lookupKey: next.lookupKey,
    version: next.version,
    kind: snapshot.model.kind.kind,
    partitionedBy: snapshot.model.partitionedBy,
    relation: next.relation,
    definition: written ? snapshot.definition : (next.known?.definition ?? snapshot.definition),
    content: written ? snapshot.content : (next.known?.content ?? snapshot.content),
    columns: next.columns,
    pristine: true,
    filled: true,
    preview: next.preview,
    owner: null,
    usedBy: [],
  };
  const others = versions
    .filter(
      (known) => known.model !== model || known.version !== record.version || known.lookupKey !== record.lookupKey,
    )
    .map((known) => {
      if (known.model !== model || known.version !== record.version) return known;
      const rewritten = written && known.content !== record.content;
      return { ...known, columns: record.columns, pristine: known.pristine && !altered && !rewritten };
    });
  return [...others, record];
}

function withUsers(known: KnownVersion, environments: readonly Environment[]): KnownVersion {
  const usedBy = environments
    .filter((each) => each.models.some((model) => model.model === known.model && model.version === known.version))
    .map((each) => each.name);
  const owner = usedBy.includes(PROD) || usedBy.length === 0 ? null : (usedBy[0] ?? null);
  return { ...known, usedBy: [...usedBy].sort(compareText), owner: usedBy.includes(PROD) ? PROD : owner };
}

/** One line a decision, for tests that read like tables. */
export function summary(decision: Decision): string {
  const { row, change, outcome, fill, create } = decision;
  const parts = [
    `row ${row ?? "-"}`,
    change,
    outcome,
    ...(create ? ["create"] : []),
    ...(fill === "none" ? [] : [fill]),
  ];
  return parts.join(" ");
}
