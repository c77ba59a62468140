import { type RelationName, relationKey } from "../base/relation-name.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import { compareColumns, sameColumns } from "../snapshot/column-changes.ts";
import type { ColumnChanges } from "../snapshot/output-column.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { changeCategory } from "./change-category.ts";
import { chooseVersion, type VersionChoice } from "./choose-version.ts";
import type { FillDecision, Reason } from "./decision.ts";
import { addsColumnsAlone } from "./only-adds-columns.ts";
import {
  changeOf,
  type Standing,
  standingOf,
  standingPath,
  standingReasons,
  type Walk,
  type WalkStep,
} from "./walk.ts";

/** One model that has a physical object: its row, its version, and what must be done for it to serve. */
export function decideModel(walk: Walk, snapshot: Snapshot): WalkStep {
  const standing = standingOf(walk, snapshot);
  const choice = chooseVersion(walk, standing);
  const { verdict, next } = choice;
  const { compared, own } = standing;
  const capabilities = kindCapabilities[snapshot.model.kind.kind];
  const change = changeOf(standing);
  const missing = isMissing(walk, choice);
  const create = verdict.outcome === "new" || isAbsent(walk, next.relation);
  const outcome = verdict.outcome === "keep" && standing.previous === null ? "reuse" : verdict.outcome;
  const differs = own.differs || standing.differingParents.length > 0;
  const columns = compareColumns(compared?.columns ?? [], next.columns);
  const readsPreview = standing.parents.some((parent) => parent.fromPreview);
  return {
    rebuilt: verdict.outcome !== "keep",
    fromPreview: next.preview || (capabilities.binding === "bound" && readsPreview),
    decision: {
      model: snapshot.model.key,
      row: missing ? 9 : choice.row,
      change,
      category: changeCategory({
        change,
        row: choice.row,
        startsAnew: own.startsAnew,
        differs,
        outcome,
        preview: next.preview,
        forwardOnlyKind: capabilities.alwaysForwardOnly,
        onlyAddsColumns: addsColumnsAlone(
          standing.previousSnapshot?.model ?? null,
          snapshot.model,
          own,
          columns,
          walk.parser,
        ),
      }),
      reasons: [...standingReasons(standing), ...choiceReasons(walk, standing, choice, missing)],
      path: standingPath(standing),
      moved: standing.movedParents.length > 0,
      differs,
      outcome,
      create,
      fill: create ? buildOrNone(snapshot) : fillDecision(snapshot, choice),
      alter: verdict.alters && !create ? alterations(columns) : null,
      previous: standing.previous,
      compared,
      previousSnapshot: standing.previousSnapshot,
      next,
      columns,
      inPlace: own.inPlace || verdict.outcome === "reuse",
    },
  };
}

function buildOrNone(snapshot: Snapshot): FillDecision {
  return kindCapabilities[snapshot.model.kind.kind].fill === "none" ? "none" : "build";
}

/** Of an object that is there. Forward-only tables aren't filled again: their rows count from the next evaluation on. */
function fillDecision(snapshot: Snapshot, { verdict, next, stale }: VersionChoice): FillDecision {
  if (next.borrowed || next.known === null) return "none";
  if (!next.known.filled || buildOrNone(snapshot) === "none") return buildOrNone(snapshot);
  return verdict.refreshes || stale ? "refill" : "none";
}

function choiceReasons(walk: Walk, standing: Standing, choice: VersionChoice, missing: boolean): readonly Reason[] {
  const { verdict, next } = choice;
  const reasons: Reason[] = [];
  if (verdict.outcome === "reuse" && next.version !== null)
    reasons.push({ code: "known_version", version: next.version });
  if (missing && next.relation !== null) reasons.push({ code: "object_missing", relation: next.relation });
  const served = standing.previous?.view ?? null;
  const servedStill = served !== null && next.view !== null && relationKey(served) === relationKey(next.view);
  if (servedStill && isAbsent(walk, served)) reasons.push({ code: "view_missing", relation: served });
  if (verdict.outcome === "keep" && standing.previous === null) reasons.push({ code: "new_environment" });
  return reasons;
}

/** Row 9. A version that was recorded but never filled isn't gone: whoever was to build it didn't get that far. */
function isMissing(walk: Walk, { verdict, next }: VersionChoice): boolean {
  if (verdict.outcome === "new" || !isAbsent(walk, next.relation)) return false;
  return verdict.outcome === "keep" || next.known?.filled === true;
}

function isAbsent(walk: Walk, relation: RelationName | null): boolean {
  return relation !== null && !walk.present.has(relationKey(relation));
}

/** A table can't be given another order of columns, and needs none: it is read and written by name. */
function alterations(columns: ColumnChanges): ColumnChanges | null {
  return sameColumns(columns, "any_order") ? null : { ...columns, reordered: false };
}
