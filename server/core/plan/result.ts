import type { PlanEffects, PlanResult } from "./plan.ts";

/** `empty` means that there is nothing to do at all: no change to record, no statement to send. */
export function planResult(effects: Pick<PlanEffects, "blockers" | "changes" | "actions">): PlanResult {
  if (effects.blockers.length > 0) return "blocked";
  return effects.changes.length === 0 && effects.actions.length === 0 ? "empty" : "applicable";
}
