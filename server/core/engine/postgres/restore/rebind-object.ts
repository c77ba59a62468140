import { quoteIdentifier, quoteRelation } from "../../../base/relation-name.ts";
import { assertNever } from "../../../base/result.ts";
import type {
  Captured,
  CapturedDefault,
  CapturedFunction,
  CapturedPolicy,
  CapturedRule,
  CapturedTrigger,
  CapturedView,
} from "../../../catalog/captured.ts";
import type { Statement } from "../../../plan/action.ts";
import { heldStatement, servedStatement, type Timeouts } from "../statement.ts";
import { definitionText, routineForSql } from "./captured-names.ts";
import { policyConditions, setDefault, triggerExtensions, viewText } from "./create-object.ts";
import { firingTexts } from "./firing-state.ts";
import { BODIES_CHECKED, BODIES_UNCHECKED } from "./local-settings.ts";
import { extensionTexts } from "./restore-relation.ts";

export type Rebindable =
  | CapturedView
  | CapturedFunction
  | CapturedRule
  | CapturedTrigger
  | CapturedPolicy
  | CapturedDefault;

/** Whether the server can replace it where it stands. Whether its own columns stay the same is the caller's to know. */
export function isRebindable(captured: Captured): captured is Rebindable {
  switch (captured.kind) {
    case "view":
    case "rule":
    case "policy":
    case "default":
      return true;
    case "function":
      return !captured.usesRowType;
    case "trigger":
      return !captured.definition.startsWith("CREATE CONSTRAINT ");
    case "materialized_view":
    case "index":
    case "statistics":
    case "check":
      return false;
    default:
      return assertNever(captured);
  }
}

/**
 * Reads the same text once more, so that names in it mean what they mean now. OID, owner, grants and comments stay; what
 * a replacement clears (a view's options, a trigger's firing state, edges to extensions) is said again.
 */
export function rebindStatements(captured: Rebindable, timeouts: Timeouts): readonly Statement[] {
  switch (captured.kind) {
    case "view":
      return [servedStatement(`CREATE OR REPLACE VIEW ${viewText(captured)}`, LOCK, timeouts)];
    case "function":
      return rebindFunction(captured, timeouts);
    case "rule":
      return onHost(captured, /^CREATE RULE /, "CREATE OR REPLACE RULE ", LOCK, timeouts);
    case "trigger":
      return onHost(captured, /^CREATE TRIGGER /, "CREATE OR REPLACE TRIGGER ", "SHARE ROW EXCLUSIVE", timeouts);
    case "policy": {
      const policy = `${quoteIdentifier(captured.policy)} ON ${quoteRelation(captured.on)}`;
      return [servedStatement(`ALTER POLICY ${policy}${policyConditions(captured)}`, LOCK, timeouts)];
    }
    case "default":
      return setDefault(captured, timeouts);
    default:
      return assertNever(captured);
  }
}

const LOCK = "ACCESS EXCLUSIVE";

function rebindFunction(captured: CapturedFunction, timeouts: Timeouts): readonly Statement[] {
  const extensions = extensionTexts(`ALTER ${routineForSql(captured)}`, captured.extensions);
  return [BODIES_UNCHECKED, definitionText(captured.definition), BODIES_CHECKED, ...extensions].map((sql) =>
    heldStatement(sql, timeouts),
  );
}

function onHost(
  captured: CapturedRule | CapturedTrigger,
  create: RegExp,
  replace: string,
  lock: string,
  timeouts: Timeouts,
): readonly Statement[] {
  const replaced = definitionText(captured.definition).replace(create, replace);
  return [replaced, ...firingTexts(captured), ...triggerExtensions(captured)].map((sql) =>
    servedStatement(sql, lock, timeouts),
  );
}
