import type { CatalogRelation } from "../catalog/catalog.ts";
import type { Decision } from "./decision.ts";
import { catalogRelation, type Planning, sameRelation } from "./planning.ts";

/** The view that a model leaves behind: the model is gone, has no object any more, or is served under another name. */
export function leftBehindView(planning: Planning, decision: Decision): CatalogRelation | null {
  const { previous, next } = decision;
  if (previous === null || previous.view === null || sameRelation(previous.view, next?.view)) return null;
  const view = catalogRelation(planning, previous.view);
  return view?.kind === "view" ? view : null;
}
