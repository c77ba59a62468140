import { relationKey } from "../base/relation-name.ts";
import { topologicalOrder } from "../dag/topological-order.ts";
import type { KnownVersion } from "../environment/environment.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import { comparisonBase } from "./comparison-base.ts";
import { decideInlined } from "./decide-inlined.ts";
import { decideModel } from "./decide-model.ts";
import type { Decision } from "./decision.ts";
import type { Facts } from "./facts.ts";
import { removedModels } from "./removed-models.ts";
import type { Walk, WalkStep } from "./walk.ts";

/**
 * Which version every model is to have and why: one walk along the reads, parents first, by the rule table of the design
 * page "Semantics". Removed models come last, readers before what they read.
 */
export function decide(facts: Facts, parser: SqlParser): readonly Decision[] {
  const ordered = topologicalOrder(facts.project.dag);
  if (!ordered.ok) throw new Error(`a project was handed on with a circle of reads: ${ordered.cycle.join(" -> ")}`);
  const base = comparisonBase(facts.state, parser);
  const models = new Map(facts.project.models.map((model) => [model.key, model]));
  const present = new Set(facts.catalog.relations.map((relation) => relationKey(relation.name)));
  const versions = new Map<ModelKey, KnownVersion[]>(facts.project.models.map((model) => [model.key, []]));
  for (const known of facts.state.versions) versions.get(known.model)?.push(known);
  const steps = new Map<ModelKey, WalkStep>();
  const walk: Walk = { facts, parser, base, models, versions, present, steps };
  for (const key of ordered.order) {
    const snapshot = facts.snapshots.get(key);
    if (snapshot === undefined) throw new Error(`the model ${key} has no snapshot`);
    const inlined = kindCapabilities[snapshot.model.kind.kind].relation === null;
    steps.set(key, inlined ? decideInlined(walk, snapshot) : decideModel(walk, snapshot));
  }
  const walked = ordered.order.flatMap((key) => steps.get(key)?.decision ?? []);
  return [...walked, ...removedModels(facts.state.environment, facts.project, base.snapshots)];
}
