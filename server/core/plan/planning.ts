import { type RelationName, relationKey } from "../base/relation-name.ts";
import type { CatalogRelation, ClosureMember, ObjectName } from "../catalog/catalog.ts";
import { makeTimeouts, type Timeouts } from "../engine/postgres/statement.ts";
import type { PromotedModel } from "../environment/environment.ts";
import type { Model } from "../model/model.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { Action } from "./action.ts";
import type { Decision, NextVersion } from "./decision.ts";
import type { Facts } from "./facts.ts";

/** Facts and decisions with what every part of planning looks up in them. Made once by `buildPlan`. */
export interface Planning {
  readonly facts: Facts;
  /** In the order of the graph, ties by name; removed models last. */
  readonly decisions: readonly Decision[];
  readonly decisionOf: ReadonlyMap<ModelKey, Decision>;
  readonly modelOf: ReadonlyMap<ModelKey, Model>;
  readonly timeouts: Timeouts;
  /** From a relation's key to the catalog's record of it. */
  readonly relations: ReadonlyMap<string, CatalogRelation>;
  /** Everything that hangs on a relation, without what is merely a part of something else; by the root's key. */
  readonly closures: ReadonlyMap<string, readonly ClosureMember[]>;
  /** Every physical and virtual relation that state knows, of any project, with who serves it. */
  readonly managed: ReadonlyMap<string, ManagedRelation>;
  /** A model's query, or a statement of its, over the physical names of this plan's versions. */
  readonly splice: (model: Model, sql: string, self: RelationName) => string;
}

export interface ManagedRelation {
  readonly project: string;
  /** The environment whose view it is, or that uses the version; null for a version that nothing uses any more. */
  readonly environment: string | null;
  readonly model: ModelKey;
  readonly layer: "physical" | "virtual";
}

/** An action before its place in the plan, and with it its name, is known. */
export interface DraftAction extends Omit<Action, "id"> {
  readonly step: PromotionStep;
  /** Order within the step, before names: how far it is from what it hangs on. */
  readonly place: number;
  /** Sorted where this object is, and after it: an index with its relation. */
  readonly beside: ObjectName | null;
}

/**
 * Order within the promotion: what will fall is held, checked and dropped, dependents first; then columns that views
 * will need, the views, what nobody reads any more, the views that had to make way for a change of type; then all that
 * fell comes back, what is read first, and is checked once more.
 */
export type PromotionStep =
  | "hold"
  | "check"
  | "drop_objects"
  | "add_columns"
  | "views"
  | "drops"
  | "drop_columns"
  | "put_back"
  | "restore_objects"
  | "comments"
  | "verify";

/** A decision of a model that has an object of its own in the plan's future. */
export interface Materialised {
  readonly decision: Decision;
  readonly model: Model;
  readonly next: NextVersion & {
    readonly version: string;
    readonly lookupKey: string;
    readonly relation: RelationName;
  };
  /** What the environment has now; in a new environment, null. */
  readonly previous: PromotedModel | null;
}

export function makePlanning(
  facts: Facts,
  decisions: readonly Decision[],
  splice: (planning: Planning, model: Model, sql: string, self: RelationName) => string,
): Planning {
  const planning: Planning = {
    facts,
    decisions,
    decisionOf: new Map(decisions.map((decision) => [decision.model, decision])),
    modelOf: new Map(facts.project.models.map((model) => [model.key, model])),
    timeouts: makeTimeouts(facts.catalog.server.deadlockTimeoutMs),
    relations: new Map(facts.catalog.relations.map((relation) => [relationKey(relation.name), relation])),
    closures: new Map(
      facts.catalog.closures.map((closure) => [relationKey(closure.root), closure.members.filter(standsAlone)]),
    ),
    managed: findManaged(facts),
    splice: (model, sql, self) => splice(planning, model, sql, self),
  };
  return planning;
}

export function materialised(planning: Planning, decision: Decision): Materialised | null {
  const model = planning.modelOf.get(decision.model);
  const { next } = decision;
  if (model === undefined || next === null) return null;
  const { version, lookupKey, relation } = next;
  if (version === null || lookupKey === null || relation === null || !shapeKnown(planning, decision)) return null;
  return { decision, model, next: { ...next, version, lookupKey, relation }, previous: decision.previous };
}

/** Without its columns nothing can be said about a model; its blocker says why they are missing. */
export function shapeKnown(planning: Planning, decision: Decision): boolean {
  return planning.facts.shapes.get(decision.model)?.ok !== false;
}

export function catalogRelation(planning: Planning, name: RelationName | null | undefined): CatalogRelation | null {
  return name === null || name === undefined ? null : (planning.relations.get(relationKey(name)) ?? null);
}

export function closureOf(planning: Planning, name: RelationName | null | undefined): readonly ClosureMember[] {
  return name === null || name === undefined ? [] : (planning.closures.get(relationKey(name)) ?? []);
}

export function managedAs(planning: Planning, object: ObjectName): ManagedRelation | null {
  return planning.managed.get(relationKey({ schema: object.schema, name: object.name })) ?? null;
}

export function sameRelation(a: RelationName | null | undefined, b: RelationName | null | undefined): boolean {
  return a?.schema === b?.schema && a?.name === b?.name;
}

export function objectOf(relation: RelationName, type: string): ObjectName {
  return { schema: relation.schema, name: relation.name, type };
}

/** Indexes and statistics come and go with their relation; parts have no life of their own. */
function standsAlone(member: ClosureMember): boolean {
  return member.treatment !== "part" && member.object.type !== "index" && member.object.type !== "statistics object";
}

function findManaged(facts: Facts): ReadonlyMap<string, ManagedRelation> {
  const { state } = facts;
  const managed = new Map<string, ManagedRelation>();
  for (const known of state.versions) {
    const environment = known.usedBy[0] ?? null;
    managed.set(relationKey(known.relation), {
      project: known.project,
      environment,
      model: known.model,
      layer: "physical",
    });
  }
  const own = state.prod === null ? [state.environment] : [state.prod, state.environment];
  for (const environment of [...state.others, ...own]) {
    const named = { project: environment.project, environment: environment.name };
    for (const promoted of environment.models) {
      const { model } = promoted;
      if (promoted.relation !== null) {
        managed.set(relationKey(promoted.relation), { ...named, model, layer: "physical" });
      }
      if (promoted.view !== null) managed.set(relationKey(promoted.view), { ...named, model, layer: "virtual" });
    }
  }
  return managed;
}
