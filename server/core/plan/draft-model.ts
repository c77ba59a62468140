import type { RelationName } from "../base/relation-name.ts";
import type { PromotedModel } from "../environment/environment.ts";
import { alterActions } from "./alter-actions.ts";
import { shapeBlockers } from "./blockers/shape-blockers.ts";
import { lostColumns, versionBlockers } from "./blockers/version-blockers.ts";
import { dropBlockers, viewBlockers } from "./blockers/view-blockers.ts";
import { commentActions } from "./comment-actions.ts";
import type { Decision } from "./decision.ts";
import { type Judged, judgeDependents, type RootFate } from "./dependents.ts";
import type { Blocker, Hazard } from "./hazards/hazard.ts";
import { modelHazards } from "./hazards/model-hazards.ts";
import { dependentHazards, dropHazards, viewHazards } from "./hazards/view-hazards.ts";
import { inPlaceActions } from "./in-place-actions.ts";
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
import { dropViewActions, leftBehindView, virtualActions } from "./virtual-actions.ts";
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
}

export function draftModel(planning: Planning, decision: Decision): ModelDraft {
  const own = materialised(planning, decision);
  const view = own === null ? null : findVirtualChange(planning, own);
  const made = own === null ? [] : ownActions(planning, own, view);
  const left = leftBehindView(planning, decision);
  const dropped =
    left === null ? [] : judgeDependents(planning, left.name, { kind: "dropped" }, closureOf(planning, left.name));
  const drops = left === null || dropped.length > 0 ? [] : dropViewActions(planning, decision, left);
  const hanging = own === null || view === null ? [] : judgeView(planning, view);
  const behind = own === null ? [] : judgeOldVersion(planning, own);
  const judged = [...dropped, ...hanging, ...behind];
  return {
    decision,
    own,
    view,
    actions: [...made, ...drops],
    judged,
    hazards: [
      ...(own === null ? [] : modelHazards(planning, own, made)),
      ...(view === null || own === null ? [] : viewHazards(view, own.next.columns)),
      ...(left === null ? [] : dropHazards(left)),
      ...dependentHazards(judged),
    ],
    blockers: [
      ...shapeBlockers(planning, decision),
      ...(own === null ? [] : versionBlockers(planning, own)),
      ...(view === null ? [] : viewBlockers(planning, decision.model, view, hanging)),
      ...(left === null ? [] : dropBlockers(left.name, decision.model, dropped)),
    ],
    promoted: promotedModel(decision, view),
    roots: rootsOf(own, view, left?.name ?? null),
  };
}

function ownActions(planning: Planning, own: Materialised, view: VirtualChange | null): readonly DraftAction[] {
  const viewStays = view?.manner === "stay" || view?.manner === "replace";
  return [
    ...physicalActions(planning, own),
    ...inPlaceActions(planning, own),
    ...(view === null ? [] : virtualActions(planning, own, view)),
    ...alterActions(planning, own, view),
    ...commentActions(planning, own, viewStays),
  ];
}

function judgeView(planning: Planning, change: VirtualChange): readonly Judged[] {
  if (change.manner === "stay" || change.manner === "create" || change.manner === "not_ours") return [];
  const fate: RootFate =
    change.manner === "replace"
      ? { kind: "kept" }
      : {
          kind: "not_in_place",
          gone: new Set(change.changes.removed.map((column) => column.name)),
          retyped: new Set(change.changes.retyped.map((column) => column.name)),
        };
  return judgeDependents(planning, change.view, fate, change.members);
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
  return judgeDependents(planning, relation, { kind: "left_behind" }, direct);
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
