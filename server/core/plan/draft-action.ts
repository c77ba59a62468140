import type { ModelKey } from "../model/model-name.ts";
import type { Action } from "./action.ts";
import type { Decision } from "./decision.ts";
import type { DraftAction } from "./planning.ts";

type Given = Pick<Action, "kind" | "stage" | "layer" | "target" | "statements"> & Partial<DraftAction>;

/** Fills in what most actions leave alone: no ladder, no guard, no downtime, reversible. */
export function draftAction(decision: Decision | null, given: Given): DraftAction {
  return {
    model: decision?.model ?? null,
    because: decision === null ? null : causeOf(decision),
    strategy: null,
    whyNotLower: [],
    guards: [],
    hazards: [],
    downtime: "none",
    reversible: true,
    artefact: null,
    step: "views",
    place: 0,
    beside: null,
    ...given,
  };
}

/** The edited model at the end of the path; the model itself where it was edited or is new. */
function causeOf(decision: Decision): ModelKey {
  return decision.path.at(-1) ?? decision.model;
}
