import type { Hash } from "../base/hash.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { Change, PlanEffects } from "../plan/plan.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { describeReason } from "./describe-reason.ts";
import type { ChangeView } from "./plan-view.ts";

export function describeChange(
  effects: PlanEffects,
  change: Change,
  snapshots: ReadonlyMap<Hash, Snapshot>,
): ChangeView {
  const previous = change.previous === null ? undefined : snapshots.get(change.previous);
  const current = change.current === null ? undefined : snapshots.get(change.current);
  const version = effects.promotion.find((each) => each.model === change.model)?.version ?? null;
  const kind = (current ?? previous)?.model.kind.kind;
  return {
    model: change.model,
    kind: kind === undefined ? "model" : kindCapabilities[kind].label,
    change: change.change,
    mark: changeMark(effects, change),
    category: change.category,
    row: change.row,
    reasons: change.reasons.map(describeReason),
    path: change.path,
    columns: {
      added: change.columns.added.map(({ name, type }) => ({ name, type })),
      removed: change.columns.removed.map(({ name, type }) => ({ name, type })),
      retyped: change.columns.retyped,
      reordered: change.columns.reordered,
    },
    previous: previous === undefined ? null : { version: null, text: previous.model.text, path: previous.model.path },
    current: current === undefined ? null : { version, text: current.model.text, path: current.model.path },
  };
}

/** The name's fate first; where the name stays as it is, what else is done to the model. */
export function changeMark(effects: PlanEffects, change: Change): ChangeView["mark"] {
  if (change.served !== null) return change.served;
  if (change.change === "indirect") return "indirect";
  const inPlace = effects.actions.some((action) => action.model === change.model && action.kind !== "comment");
  return change.change === "metadata" && !inPlace ? "metadata" : "change";
}

/** Snapshots that the plan brings along, and those that the caller has read from state. */
export function knownSnapshots(effects: PlanEffects, others: ReadonlyMap<Hash, Snapshot>): ReadonlyMap<Hash, Snapshot> {
  return new Map([...others, ...effects.snapshots.map((snapshot) => [snapshot.id, snapshot] as const)]);
}
