import { compareText } from "../base/relation-name.ts";
import { failed, ok, type Result } from "../base/result.ts";
import type { ObjectName } from "../catalog/catalog.ts";
import { checkVirtualNames } from "../environment/check-virtual-names.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import { readBase } from "./base-facts.ts";
import { planReadsOf } from "./base-reads.ts";
import { projectBlockers } from "./blockers/project-blockers.ts";
import { rightsBlockers } from "./blockers/rights-blockers.ts";
import { backfillOf, changeOf } from "./changes.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { mergeDependents } from "./dependents.ts";
import { draftModel, type ModelDraft } from "./draft-model.ts";
import type { Facts } from "./facts.ts";
import { markActions, mergeHazards, sortBlockers } from "./hazards/merge-hazards.ts";
import { projectHazards } from "./hazards/project-hazards.ts";
import { climb } from "./ladder/climb.ts";
import { captureReads } from "./ladder/ladder-root.ts";
import { orderActions } from "./order-actions.ts";
import type { Plan, PlanEffects, PlanTarget } from "./plan.ts";
import { sealPlan } from "./plan-codec.ts";
import { planContext } from "./plan-context.ts";
import { makePlanning, type Planning } from "./planning.ts";
import { findRemovedReads } from "./removed-models.ts";
import { makeSplice } from "./render-query.ts";
import { internalActions, schemaActions } from "./schema-actions.ts";
import { makeUnits, type UnitParts } from "./units.ts";
import { nextVersionRecord } from "./versions.ts";

/**
 * The whole way from what was read to the plan. Fails only where the project reads a model that it has removed, and for
 * an environment under whose name the server would cut a view's.
 */
export function buildPlan(facts: Facts, parser: SqlParser): Result<Plan> {
  const begun = beginPlan(facts, parser);
  return begun.ok ? assemblePlan(facts, begun.value.decisions, parser) : begun;
}

export interface BegunPlan {
  readonly decisions: readonly Decision[];
  /** What has to be captured before the plan can be assembled; mostly nothing. */
  readonly captures: readonly ObjectName[];
}

/** The first half: what is to become of each model. `facts.captures` isn't looked at. */
export function beginPlan(facts: Facts, parser: SqlParser): Result<BegunPlan> {
  const { project, request, state } = facts;
  const faults = [
    ...findRemovedReads(state.environment, project),
    ...checkVirtualNames(project.models, request.environment, project.naming),
  ];
  if (faults.length > 0) return failed(...faults);
  const decisions = decide(facts, parser);
  return ok({ decisions, captures: captureReads(makePlanning(facts, decisions, makeSplice(parser))) });
}

/**
 * From facts and decisions to the plan: a value that says all that will be done, statement by statement, and what
 * that means for everybody else. Pure, so that equal facts give equal plans, byte for byte.
 *
 * Each decision becomes a draft of its own (`draft-model.ts`: object, name, dependents, hazards, blockers); here the
 * drafts are put in order and added up.
 */
export function assemblePlan(facts: Facts, decisions: readonly Decision[], parser: SqlParser): Result<Plan> {
  const planning = makePlanning(facts, decisions, makeSplice(parser));
  const ladder = climb(planning);
  const drafts = decisions.map((decision) => draftModel(planning, ladder, decision));

  const modelActions = [...ladder.actions, ...drafts.flatMap((draft) => draft.actions)];
  const changes = drafts.flatMap((draft) => changeOf(draft) ?? []).sort((a, b) => compareText(a.model, b.model));
  const busy = changes.length > 0 || modelActions.length > 0;
  const allActions = busy
    ? [...internalActions(planning), ...schemaActions(planning, modelActions), ...modelActions]
    : [];

  const hazards = mergeHazards([...drafts.flatMap((draft) => draft.hazards), ...projectHazards(planning)]);
  const actions = markActions(
    orderActions(
      allActions,
      decisions.map((decision) => decision.model),
    ),
    hazards,
  );

  const target = planTarget(facts);
  const parts = drafts.flatMap((draft) => unitParts(planning, draft) ?? []);
  const owned = drafts.flatMap((draft) => draft.own ?? []);
  const effects: PlanEffects = {
    target,
    source: facts.project.source,
    options: sortedOptions(facts),
    base: readBase(planReadsOf(planning, drafts, actions), facts.state, facts.catalog),
    changes,
    snapshots: newSnapshots(facts, decisions),
    versions: parts.flatMap((part) => part.version ?? []),
    actions,
    backfills: parts.flatMap((part) => part.backfill ?? []),
    promotion: drafts.flatMap((draft) => draft.promoted ?? []).sort((a, b) => compareText(a.model, b.model)),
    dependents: mergeDependents(drafts.flatMap((draft) => draft.judged.map((each) => each.dependent))),
    captured: ladder.captured,
    hazards,
    blockers: sortBlockers([
      ...projectBlockers(planning, parser),
      ...drafts.flatMap((draft) => draft.blockers),
      ...ladder.blockers,
      ...rightsBlockers(planning, allActions, owned),
    ]),
    units: makeUnits(target, parts, actions),
  };
  return ok(sealPlan(effects, planContext(planning, ladder.unmatched)));
}

function unitParts(planning: Planning, draft: ModelDraft): UnitParts | null {
  const change = changeOf(draft);
  const { own, decision } = draft;
  if (change === null) return null;
  return {
    model: decision.model,
    change,
    backfill: backfillOf(draft),
    version: own === null ? null : nextVersionRecord(planning, own),
    promoted: draft.promoted,
    dependents: draft.judged.map((each) => each.dependent),
    hazards: draft.hazards,
    blockers: draft.blockers,
    accepted: [
      ...planning.facts.request.options.allowDestructive.filter((model) => model === decision.model),
      ...draft.accepted,
    ],
  };
}

function planTarget(facts: Facts): PlanTarget {
  const { request, project, catalog, state } = facts;
  return {
    project: project.name,
    environment: request.environment,
    gateway: request.gateway,
    engine: request.engine,
    database: catalog.server.database,
    promotion: state.environment.promotion,
    submission: request.submission,
  };
}

/** The same wishes in another order are the same plan. */
function sortedOptions(facts: Facts): PlanEffects["options"] {
  const { allowDestructive, accept, replaceProject } = facts.request.options;
  const sorted = (texts: readonly string[]) => [...new Set(texts)].sort(compareText);
  return { allowDestructive: sorted(allowDestructive), accept: sorted(accept), replaceProject };
}

function newSnapshots(facts: Facts, decisions: readonly Decision[]): PlanEffects["snapshots"] {
  return decisions
    .flatMap((decision) => (decision.next === null ? [] : (facts.snapshots.get(decision.model) ?? [])))
    .filter((snapshot) => !facts.state.snapshots.has(snapshot.id))
    .sort((a, b) => compareText(a.model.key, b.model.key));
}
