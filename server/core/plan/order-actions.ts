import { compareText, relationKey } from "../base/relation-name.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { Action, ActionStage, Guard } from "./action.ts";
import type { DraftAction, PromotionStep } from "./planning.ts";

/** The order in which stages are carried out. `audit` stands between rows and promotion: bad rows never show. */
export const stageOrder: readonly ActionStage[] = [
  "schemas",
  "create",
  "fill",
  "audit",
  "promotion",
  "fill_after",
  "after",
];

const stepOrder: readonly PromotionStep[] = [
  "hold",
  "check",
  "drop_objects",
  "add_columns",
  "views",
  "drops",
  "drop_columns",
  "put_back",
  "restore_objects",
  "comments",
  "verify",
];

/**
 * By stage; within the promotion by step, place and then by name, so that two promotions take their locks in one order;
 * elsewhere parents before children and, within a model, as given. Gives each action its id.
 */
export function orderActions(drafts: readonly DraftAction[], models: readonly ModelKey[]): readonly Action[] {
  const place = new Map(models.map((model, index) => [model, index]));
  const rank = (draft: DraftAction) => (draft.model === null ? -1 : (place.get(draft.model) ?? models.length));
  const sorted = drafts
    .map((draft, index) => ({ draft, index }))
    .sort((a, b) => {
      const stage = stageOrder.indexOf(a.draft.stage) - stageOrder.indexOf(b.draft.stage);
      if (stage !== 0) return stage;
      if (a.draft.stage === "promotion") {
        const step = stepOrder.indexOf(a.draft.step) - stepOrder.indexOf(b.draft.step);
        const place = a.draft.place - b.draft.place;
        return step || place || compareText(sortKey(a.draft), sortKey(b.draft)) || a.index - b.index;
      }
      return rank(a.draft) - rank(b.draft) || a.index - b.index;
    })
    .map(({ draft }) => draft);
  const width = Math.max(2, String(sorted.length).length);
  const touched = new Set<string>();
  return sorted.map((draft, index) => {
    const { step: _step, place: _place, beside: _beside, ...action } = draft;
    const key = relationKey(draft.target);
    // A fingerprint from before the plan holds only until the plan itself touches the object.
    const guards = touched.has(key) ? draft.guards.filter((guard) => !BY_FINGERPRINT.has(guard.kind)) : draft.guards;
    touched.add(key);
    return { id: `a${String(index + 1).padStart(width, "0")}`, ...action, guards };
  });
}

function sortKey({ beside, target }: DraftAction): string {
  return relationKey(beside ?? target);
}

const BY_FINGERPRINT: ReadonlySet<Guard["kind"]> = new Set(["unchanged", "bare"]);
