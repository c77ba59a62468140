import { assertNever } from "../base/result.ts";
import type { ChangeCategory, Decision, RuleRow } from "./decision.ts";

export interface CategoryFacts {
  readonly change: Decision["change"];
  readonly row: RuleRow | null;
  readonly startsAnew: boolean;
  readonly differs: boolean;
  readonly outcome: Decision["outcome"];
  readonly preview: boolean;
  readonly forwardOnlyKind: boolean;
  readonly onlyAddsColumns: boolean;
}

/** SQLMesh's words for what a change does to readers; null for what is new, gone or untouched. */
export function changeCategory(facts: CategoryFacts): ChangeCategory | null {
  switch (facts.change) {
    case "added":
    case "removed":
    case "none":
      return null;
    case "metadata":
      return "metadata";
    case "modified":
      if (facts.startsAnew) return "breaking";
      if (facts.forwardOnlyKind && facts.row !== 2) return "forward-only";
      return facts.onlyAddsColumns ? "non-breaking" : "breaking";
    case "indirect": {
      if (!facts.differs) return "indirect-non-breaking";
      const keepsRows = facts.row === 6 && facts.outcome === "keep" && !facts.preview;
      return keepsRows ? "indirect-non-breaking" : "indirect-breaking";
    }
    default:
      return assertNever(facts.change);
  }
}
