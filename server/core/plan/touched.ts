import { compareText, type RelationName, relationKey, relationName } from "../base/relation-name.ts";
import { ancestors } from "../dag/reach.ts";
import { topologicalOrder } from "../dag/topological-order.ts";
import type { PromotedModel } from "../environment/environment.ts";
import { virtualName } from "../environment/virtual-name.ts";
import type { Model } from "../model/model.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { Project } from "../model/project.ts";
import { physicalSchema } from "../snapshot/physical-name.ts";
import { findReads } from "../snapshot/reads.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { comparedEnvironment } from "./comparison-base.ts";
import type { StateFacts } from "./facts.ts";

/**
 * What the shell must read before a plan can be made. Asks for too much rather than too little. Names of objects that
 * don't exist yet aren't here: they end in a token that follows from shapes, and making one is guarded at apply.
 */
export interface PlanReads {
  /** For the catalog reader, as it stands. Everything sorted. */
  readonly catalog: {
    readonly project: string;
    readonly environment: string;
    readonly schemas: readonly string[];
    readonly relations: readonly RelationName[];
    readonly closures: readonly RelationName[];
  };
  /** Models whose shapes are needed, parents first; none where nothing changed. */
  readonly shapes: readonly ModelKey[];
  /** Relations outside the project that those read, and that must be in the catalog to get stubs from. Sorted. */
  readonly externals: readonly RelationName[];
}

export function planReads(
  project: Project,
  snapshots: ReadonlyMap<ModelKey, Snapshot>,
  state: StateFacts,
  environment: string,
): PlanReads {
  const promoted = comparedEnvironment(state)?.models ?? [];
  const compared = new Map(promoted.map((each) => [each.model, each]));
  const changed = project.models.filter((model) => hasChanged(model, compared.get(model.key), snapshots, state));
  const present = new Set(project.models.map((model) => model.key));
  const removed = state.environment.models.filter((each) => !present.has(each.model));
  const shaped = shapedModels(project, changed);
  const externals = outsideRelations(shaped);

  const served = project.models.filter((model) => kindCapabilities[model.kind.kind].relation !== null);
  const nextView = (model: Model) => virtualName(model.name, environment, project.naming);
  const before = [...state.environment.models, ...(state.prod?.models ?? []), ...promoted];
  const changedKeys = new Set(changed.map((model) => model.key));
  const renamed = served.flatMap((model) => {
    const view = state.environment.models.find((each) => each.model === model.key)?.view ?? null;
    return view !== null && relationKey(view) !== relationKey(nextView(model)) ? [view, nextView(model)] : [];
  });
  const touched = [...before.filter((each) => changedKeys.has(each.model)), ...removed];
  const closures = [
    ...touched.flatMap(objectsOf),
    ...renamed,
    ...served.filter((model) => changedKeys.has(model.key)).map(nextView),
  ];
  const relations = [
    ...served.map(nextView),
    ...before.flatMap(objectsOf),
    ...state.versions.map((known) => known.relation),
    ...externals,
  ];
  const schemas = [
    ...relations.map((relation) => relation.schema),
    ...served.map((model) => physicalSchema(model.name, project.naming)),
  ];
  return {
    catalog: {
      project: project.name,
      environment,
      schemas: [...new Set(schemas)].sort(compareText),
      relations: distinct(relations),
      closures: distinct(closures),
    },
    shapes: shaped.map((model) => model.key),
    externals,
  };
}

/** Content reaches through parents, so whatever lies below a change has changed with it. Other formats count as changed. */
function hasChanged(
  model: Model,
  compared: PromotedModel | undefined,
  snapshots: ReadonlyMap<ModelKey, Snapshot>,
  state: StateFacts,
): boolean {
  const before = compared === undefined ? undefined : state.snapshots.get(compared.snapshot);
  const after = snapshots.get(model.key);
  return (
    before === undefined || after === undefined || before.format !== after.format || before.content !== after.content
  );
}

/** What changed, and everything above it: a parent's columns must be there before its reader can be bound. */
function shapedModels(project: Project, changed: readonly Model[]): readonly Model[] {
  const keys = changed.map((model) => model.key);
  const wanted = new Set([...keys, ...ancestors(project.dag, keys)]);
  const ordered = topologicalOrder(project.dag);
  const byKey = new Map(project.models.map((model) => [model.key, model]));
  const order = ordered.ok ? ordered.order : project.dag.keys;
  return order.filter((key) => wanted.has(key)).flatMap((key) => byKey.get(key) ?? []);
}

/** Undeclared relations, and EXTERNAL models that declare no columns. */
function outsideRelations(shaped: readonly Model[]): readonly RelationName[] {
  const byKey = new Map(shaped.map((model) => [model.key, model]));
  const names = shaped.flatMap((model) => {
    const undeclared = model.kind.kind === "external" && model.columns === null ? [model.name] : [];
    return [...undeclared, ...findReads(model, byKey).outside];
  });
  return distinct(
    names
      .map((name) => relationName(name.schema ?? SEARCHED_SCHEMA, name.name))
      .filter((relation) => !SERVER_SCHEMAS.includes(relation.schema)),
  );
}

/** Where a bare name is looked for: sessions have no other schema in their search path. */
const SEARCHED_SCHEMA = "public";

/** Every server has these; a stub of one would be refused. */
const SERVER_SCHEMAS = ["pg_catalog", "information_schema"];

function objectsOf(promoted: PromotedModel): readonly RelationName[] {
  return [promoted.view, promoted.relation].filter((relation) => relation !== null);
}

function distinct(relations: readonly RelationName[]): readonly RelationName[] {
  const byKey = new Map(relations.map((relation) => [relationKey(relation), relation]));
  return [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, relation]) => relation);
}
