import { type RelationName, relationKey } from "../base/relation-name.ts";
import type { PromotedModel } from "../environment/environment.ts";
import { alterActions } from "./alter-actions.ts";
import { shapeBlockers } from "./blockers/shape-blockers.ts";
import { lostColumns, versionBlockers } from "./blockers/version-blockers.ts";
import { viewBlockers } from "./blockers/view-blockers.ts";
import { commentActions } from "./comment-actions.ts";
import type { Decision } from "./decision.ts";
import { type Judged, judgeDependents } from "./dependents.ts";
import type { Blocker, Hazard } from "./hazards/hazard.ts";
import { modelHazards } from "./hazards/model-hazards.ts";
import { dependentHazards, dropHazards, viewHazards } from "./hazards/view-hazards.ts";
import { inPlaceActions } from "./in-place-actions.ts";
import type { Ladder, RootOutcome } from "./ladder/climb.ts";
import { leftBehindView } from "./left-behind-view.ts";
import { physicalActions } from "./physical-actions.ts";
import {
  closureOf,
  type DraftAction,
  type Materialised,
  managedAs,
  materialised,
  type Planning,
  sameRelation,
} from "./planning.ts";
import { dropViewActions, virtualActions } from "./virtual-actions.ts";
import { findVirtualChange, type VirtualChange } from "./virtual-change.ts";

/** Everything that one decision means: what is done, what it does to others, what stands in its way. */
export interface ModelDraft {
  readonly decision: Decision;
  readonly own: Materialised | null;
  readonly view: VirtualChange | null;
  readonly actions: readonly DraftAction[];
  readonly judged: readonly Judged[];
  readonly hazards: readonly Hazard[];
  readonly blockers: readonly Blocker[];
  /** What the environment serves of this model afterwards; null where it is gone, or its columns aren't known. */
  readonly promoted: PromotedModel | null;
  /** Relations whose closure the draft relied on. */
  readonly roots: readonly RelationName[];
  /** Losses that were taken on by name, `CODE:object`. */
  readonly accepted: readonly string[];
}

function outcomeOf(ladder: Ladder, view: RelationName): RootOutcome | null {
  return ladder.outcomes.get(relationKey(view)) ?? null;
}

export function draftModel(planning: Planning, ladder: Ladder, decision: Decision): ModelDraft {
  const own = materialised(planning, decision);
  const view = own === null ? null : findVirtualChange(planning, own);
  const outcome = view?.manner === "climb" ? outcomeOf(ladder, view.view) : null;
  const made = own === null ? [] : ownActions(planning, own, view, outcome);
  const left = leftBehindView(planning, decision);
  const fallen = left === null ? null : outcomeOf(ladder, left.name);
  const drops = left === null || fallen?.blocked === true ? [] : dropViewActions(planning, decision, left, fallen);
  const climbed = [fallen, outcome].flatMap((each) => each ?? []);
  const hanging = own === null || view === null ? [] : judgeView(planning, view);
  const behind = own === null ? [] : judgeOldVersion(planning, own);
  const told = climbed.flatMap((each) => each.own.filter((member) => !member.attached));
  const judged = [...told, ...hanging, ...behind];
  return {
    decision,
    own,
    view,
    actions: [...climbed.flatMap((each) => each.actions), ...made, ...drops],
    judged,
    hazards: [
      ...(own === null ? [] : modelHazards(planning, own, made)),
      ...(view === null || own === null ? [] : viewHazards(view, own.next.columns)),
      ...(left === null ? [] : dropHazards(left)),
      ...dependentHazards([...hanging, ...behind]),
      ...climbed.flatMap((each) => each.hazards),
    ],
    blockers: [
      ...shapeBlockers(planning, decision),
      ...(own === null ? [] : versionBlockers(planning, own)),
      ...(view === null ? [] : viewBlockers(planning, decision.model, view, outcome)),
      ...(fallen?.blockers ?? []),
    ],
    promoted: promotedModel(decision, view),
    roots: rootsOf(own, view, left?.name ?? null),
    accepted: climbed.flatMap((each) => each.accepted),
  };
}

function ownActions(
  planning: Planning,
  own: Materialised,
  view: VirtualChange | null,
  outcome: RootOutcome | null,
): readonly DraftAction[] {
  const viewStays = view?.manner === "stay" || view?.manner === "replace";
  return [
    ...physicalActions(planning, own),
    ...inPlaceActions(planning, own),
    ...(view === null ? [] : virtualActions(planning, own, view, outcome)),
    ...alterActions(planning, own, view, outcome?.blocked ?? false),
    ...commentActions(planning, own, viewStays),
  ];
}

function judgeView(planning: Planning, change: VirtualChange): readonly Judged[] {
  if (change.manner !== "replace") return [];
  return judgeDependents(planning, change.view, "kept", change.members);
}

/** Objects that somebody bound to the physical object itself: they go on reading the version that is left. */
function judgeOldVersion(planning: Planning, own: Materialised): readonly Judged[] {
  const { previous, next } = own;
  if (previous === null || previous.relation === null || sameRelation(previous.relation, next.relation)) return [];
  const { relation } = previous;
  const direct = closureOf(planning, relation).filter(
    (member) =>
      managedAs(planning, member.object) === null && member.uses.some((use) => sameRelation(use.object, relation)),
  );
  return judgeDependents(planning, relation, "left_behind", direct);
}

function promotedModel(decision: Decision, view: VirtualChange | null): PromotedModel | null {
  const { next } = decision;
  if (next === null) return null;
  const { snapshot, version, relation, columns } = next;
  const served = view?.columns ?? columns;
  return {
    model: decision.model,
    snapshot,
    version,
    relation,
    view: next.view,
    columns,
    served: served.map((column) => column.name),
  };
}

function rootsOf(
  own: Materialised | null,
  view: VirtualChange | null,
  left: RelationName | null,
): readonly RelationName[] {
  const touched = view !== null && view.current !== null && view.manner !== "stay" ? [view.view] : [];
  const altered = own !== null && lostColumns(own).length > 0 ? [own.next.relation] : [];
  return [...touched, ...altered, ...(left === null ? [] : [left])];
}
