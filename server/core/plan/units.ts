import { hashJson, type Json } from "../base/hash.ts";
import { compareText } from "../base/relation-name.ts";
import type { KnownVersion, PromotedModel } from "../environment/environment.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { Action } from "./action.ts";
import type { Blocker, Hazard } from "./hazards/hazard.ts";
import type { Backfill, Change, Dependent, PlanTarget, Unit } from "./plan.ts";

/** What belongs to one model, before it has a digest. */
export interface UnitParts {
  readonly model: ModelKey;
  readonly change: Change;
  readonly backfill: Backfill | null;
  readonly version: KnownVersion | null;
  readonly promoted: PromotedModel | null;
  readonly dependents: readonly Dependent[];
  readonly hazards: readonly Hazard[];
  readonly blockers: readonly Blocker[];
  readonly accepted: readonly string[];
}

/**
 * An approval covers units, so that of a plan made again only what moved has to be looked at again. A unit's digest
 * leaves out the plan's numbers (promotion, submission) and the ids of its actions, which depend on other units.
 */
export function makeUnits(
  target: PlanTarget,
  parts: readonly UnitParts[],
  actions: readonly Action[],
): readonly Unit[] {
  const { promotion: _promotion, submission: _submission, ...place } = target;
  const common = actions.filter((action) => action.model === null);
  const digest = (value: object) => hashJson({ place, ...value } as unknown as Json);
  const own = [...parts]
    .sort((a, b) => compareText(a.model, b.model))
    .map((part) => {
      const mine = actions.filter((action) => action.model === part.model);
      return {
        digest: digest({ ...part, actions: mine.map(withoutId) }),
        model: part.model,
        actions: mine.map((action) => action.id),
      };
    });
  if (common.length === 0) return own;
  return [
    ...own,
    { digest: digest({ actions: common.map(withoutId) }), model: null, actions: common.map((action) => action.id) },
  ];
}

function withoutId(action: Action): Omit<Action, "id"> {
  const { id: _id, ...rest } = action;
  return rest;
}
