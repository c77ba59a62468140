import { assertNever } from "../base/result.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { ModelDraft } from "./draft-model.ts";
import type { Backfill, Change } from "./plan.ts";
import { sameRelation } from "./planning.ts";

/** A line of the plan's list of models; null for a model that nothing happens to. */
export function changeOf(draft: ModelDraft): Change | null {
  const { decision } = draft;
  const served = servedChange(draft);
  const idle =
    decision.change === "none" && served === null && draft.actions.length === 0 && draft.blockers.length === 0;
  if (idle) return null;
  return {
    model: decision.model,
    // Nothing was edited, yet something is done: an object or a name that was gone is put back.
    change: decision.change === "none" ? "indirect" : decision.change,
    category: decision.category,
    row: decision.row,
    reasons: decision.reasons,
    path: decision.path,
    columns: decision.columns,
    previous: decision.previousSnapshot?.id ?? null,
    current: decision.next?.snapshot ?? null,
    served,
    view: decision.next?.view ?? decision.previous?.view ?? null,
  };
}

/** What happens to the model's name: it appears, points elsewhere or changes its columns, or disappears. */
function servedChange(draft: ModelDraft): Change["served"] {
  const { view, own, decision } = draft;
  if (view === null || own === null)
    return draft.hazards.some((hazard) => hazard.code === "view_dropped") ? "drop" : null;
  switch (view.manner) {
    case "stay":
      return null;
    case "create":
    case "not_ours":
      return "create";
    case "replace":
    case "recreate":
    case "climb": {
      const { added, removed, retyped, reordered } = view.changes;
      const same = added.length + removed.length + retyped.length === 0 && !reordered;
      return same && sameRelation(decision.previous?.relation, own.next.relation) ? null : "replace";
    }
    default:
      return assertNever(view.manner);
  }
}

/** Rows that are made or made again. Kinds that are built whole have no intervals, and count as one. */
export function backfillOf(draft: ModelDraft): Backfill | null {
  const { own, decision } = draft;
  if (own === null || decision.fill === "none" || own.next.borrowed) return null;
  const capabilities = kindCapabilities[own.model.kind.kind];
  if (capabilities.fill === "none") return null;
  return { model: decision.model, kind: capabilities.label, relation: own.next.relation, intervals: [], batches: 1 };
}
