import { quoteIdentifier, quoteRelation } from "../../../base/relation-name.ts";
import type { CapturedRule, CapturedTrigger, FiringState } from "../../../catalog/captured.ts";

const verbs: Readonly<Record<Exclude<FiringState, "origin">, string>> = {
  disabled: "DISABLE",
  replica: "ENABLE REPLICA",
  always: "ENABLE ALWAYS",
};

/** Whatever has just been made fires as usual. ALTER TABLE, since the server has no such clause for views. */
export function firingTexts(captured: CapturedRule | CapturedTrigger): readonly string[] {
  if (captured.state === "origin") return [];
  const what =
    captured.kind === "rule"
      ? `RULE ${quoteIdentifier(captured.rule)}`
      : `TRIGGER ${quoteIdentifier(captured.trigger)}`;
  return [`ALTER TABLE ${quoteRelation(captured.on)} ${verbs[captured.state]} ${what}`];
}
