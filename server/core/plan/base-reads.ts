import type { RelationName } from "../base/relation-name.ts";
import { PROD } from "../environment/environment.ts";
import type { Action } from "./action.ts";
import { baseKeys } from "./base-facts.ts";
import { changeOf } from "./changes.ts";
import type { ModelDraft } from "./draft-model.ts";
import { catalogRelation, type Planning } from "./planning.ts";

/** The keys of everything that this plan relied on and that could move before it is applied. */
export function planReadsOf(
  planning: Planning,
  drafts: readonly ModelDraft[],
  actions: readonly Action[],
): readonly string[] {
  const { environment } = planning.facts.request;
  const touched = drafts.filter((draft) => changeOf(draft) !== null);
  const targets = actions.filter((action) => action.target.type !== "schema").map((action) => action.target);
  const hanging = drafts.flatMap((draft) => draft.judged.map((each) => each.dependent.object));
  const roots = drafts.flatMap((draft) => draft.roots);
  const relation = ({ schema, name }: RelationName): RelationName => ({ schema, name });
  return baseKeys({
    environments: [environment],
    models: touched.map((draft) => draft.decision.model),
    prodModels:
      environment === PROD
        ? []
        : touched.filter((draft) => draft.decision.previous === null).map((draft) => draft.decision.model),
    versions: touched.flatMap((draft) => (draft.own === null || !writes(draft) ? [] : [draft.own.next.relation])),
    relations: [
      ...targets.map(relation),
      ...roots,
      // Functions, rules and policies hang on views, too, but aren't relations: the closure's fact covers them.
      ...hanging.filter((object) => catalogRelation(planning, object) !== null).map(relation),
    ],
    closures: roots,
  });
}

function writes(draft: ModelDraft): boolean {
  return draft.actions.some((action) => action.layer === "physical");
}
