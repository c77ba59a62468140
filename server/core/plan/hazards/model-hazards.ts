import { kindCapabilities } from "../../model/model-kind.ts";
import { lostColumns } from "../blockers/version-blockers.ts";
import { handmadeIndexes } from "../declared-indexes.ts";
import {
  catalogRelation,
  type DraftAction,
  type Materialised,
  objectOf,
  type Planning,
  sameRelation,
} from "../planning.ts";
import { relationType } from "../relation-type.ts";
import type { AffectedObject, Hazard } from "./hazard.ts";

/** What a reviewer must know about the object behind a name. */
export function modelHazards(
  planning: Planning,
  own: Materialised,
  actions: readonly DraftAction[],
): readonly Hazard[] {
  return [
    ...destructive(planning, own),
    ...history(planning, own),
    ...expensive(planning, own),
    ...indexes(planning, own),
    ...waits(actions),
  ];
}

function destructive(planning: Planning, own: Materialised): readonly Hazard[] {
  const lost = lostColumns(own);
  if (lost.length === 0) return [];
  const table = physicalObject(planning, own, lost);
  const removed = own.decision.alter?.removed.map((column) => column.name) ?? [];
  return [
    { code: "forward_only_destructive", objects: [table] },
    ...(removed.length === 0 ? [] : [{ code: "data_loss" as const, objects: [{ ...table, columns: removed }] }]),
  ];
}

function history(planning: Planning, own: Materialised): readonly Hazard[] {
  const { decision, model } = own;
  const capabilities = kindCapabilities[model.kind.kind];
  const kept = decision.outcome === "keep" && !decision.create && decision.fill === "none";
  const changed = decision.row === 4 || decision.row === 5 || decision.row === 6;
  if (!kept || !changed || !capabilities.alwaysForwardOnly) return [];
  const columns = decision.columns.added.map((column) => column.name);
  return [{ code: "history_not_recomputed", objects: [physicalObject(planning, own, columns)] }];
}

const MANY_ROWS = 10_000_000;
const MANY_BYTES = 1_000_000_000;

function expensive(planning: Planning, own: Materialised): readonly Hazard[] {
  const { decision } = own;
  const before = catalogRelation(planning, own.previous?.relation);
  if (decision.fill === "none" || before === null) return [];
  const big = (before.estimatedRows ?? 0) >= MANY_ROWS || (before.bytes ?? 0) >= MANY_BYTES;
  return big ? [{ code: "rebuild_expensive", objects: [physicalObject(planning, own, [])] }] : [];
}

/** Only what the project declares is made on a new version. */
function indexes(planning: Planning, own: Materialised): readonly Hazard[] {
  const { decision, previous, next } = own;
  const before = catalogRelation(planning, previous?.relation);
  const old = decision.previousSnapshot?.model;
  if (before === null || old === undefined || sameRelation(before.name, next.relation)) return [];
  const left = handmadeIndexes(old, before.name, before.indexes);
  if (left.length === 0) return [];
  const objects = left.map((index) => ({
    object: { schema: before.name.schema, name: index.name, type: "index" },
    owner: before.owner,
    columns: [],
  }));
  return [{ code: "index_not_carried", objects }];
}

function waits(actions: readonly DraftAction[]): readonly Hazard[] {
  const waiting = actions.filter((action) => action.downtime === "rebuild");
  if (waiting.length === 0) return [];
  return [
    { code: "reader_wait", objects: waiting.map((action) => ({ object: action.target, owner: null, columns: [] })) },
  ];
}

function physicalObject(planning: Planning, own: Materialised, columns: readonly string[]): AffectedObject {
  const owner = catalogRelation(planning, own.next.relation)?.owner ?? null;
  return { object: objectOf(own.next.relation, relationType(own.model.kind.kind)), owner, columns };
}
