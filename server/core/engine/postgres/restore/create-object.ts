import { quoteIdentifier, quoteRelation } from "../../../base/relation-name.ts";
import { assertNever } from "../../../base/result.ts";
import type {
  Captured,
  CapturedCheck,
  CapturedDefault,
  CapturedFunction,
  CapturedIndex,
  CapturedPolicy,
  CapturedRule,
  CapturedStatistics,
  CapturedTrigger,
  CapturedView,
} from "../../../catalog/captured.ts";
import type { Statement } from "../../../plan/action.ts";
import { columnList } from "../column-list.ts";
import { heldStatement, longStatement, servedStatement, type Timeouts } from "../statement.ts";
import { definitionText, hostWords, routineForSql } from "./captured-names.ts";
import { createMaterializedViewStatements } from "./create-materialized-view.ts";
import { firingTexts } from "./firing-state.ts";
import { BODIES_CHECKED, BODIES_UNCHECKED, tablespaceText } from "./local-settings.ts";
import { optionClause } from "./option-list.ts";
import { granteesByDefault, type RestoreContext } from "./restore-context.ts";
import { restoreGrantsStatements } from "./restore-grants.ts";
import { extensionTexts, ownerTexts, restoreCarriedStatements } from "./restore-relation.ts";
import { remarkTexts } from "./restore-remarks.ts";

/**
 * Makes an object again as it was, under an empty search_path. A materialized view comes back without rows: see
 * `refreshStatements`, which are due after its indexes and statistics. Rules, triggers, indexes and statistics of a
 * relation are objects of their own and come after it.
 */
export function createStatements(captured: Captured, context: RestoreContext): readonly Statement[] {
  switch (captured.kind) {
    case "view":
      return createView(captured, context);
    case "materialized_view":
      return createMaterializedViewStatements(captured, context);
    case "index":
      return createIndex(captured, context.timeouts);
    case "statistics":
      return createStatistics(captured, context);
    case "rule":
      return onHost(definitionText(captured.definition), captured, LOCK, context.timeouts);
    case "trigger":
      return onHost(definitionText(captured.definition), captured, "SHARE ROW EXCLUSIVE", context.timeouts);
    case "policy":
      return createPolicy(captured, context.timeouts);
    case "default":
      return setDefault(captured, context.timeouts);
    case "check":
      return addCheck(captured, context.timeouts);
    case "function":
      return createFunction(captured, context);
    default:
      return assertNever(captured);
  }
}

const LOCK = "ACCESS EXCLUSIVE";

function createView(captured: CapturedView, context: RestoreContext): readonly Statement[] {
  return [
    servedStatement(`CREATE VIEW ${viewText(captured)}`, LOCK, context.timeouts),
    ...restoreCarriedStatements(captured, captured.columns, context),
  ];
}

/** Columns and options in full: the server would name them anew, and clears the options that aren't repeated. */
export function viewText({ relation, columns, options, definition }: CapturedView): string {
  const names = columnList(columns.map((column) => column.name));
  return `${quoteRelation(relation)} (${names})${optionClause(options)} AS\n${definitionText(definition)}`;
}

/** May take long, but must not wait long: what is held by now keeps readers out. */
function createIndex(captured: CapturedIndex, timeouts: Timeouts): readonly Statement[] {
  const index = quoteRelation(captured.index);
  const on = `ALTER TABLE ${quoteRelation(captured.on)}`;
  const name = quoteIdentifier(captured.index.name);
  return [
    heldStatement(tablespaceText(captured.tablespace), timeouts),
    { ...longStatement(definitionText(captured.definition), "SHARE", timeouts), lockTimeoutMs: timeouts.readersLockMs },
    ...[
      ...captured.statisticsTargets.map(
        ({ column, target }) => `ALTER INDEX ${index} ALTER COLUMN ${column} SET STATISTICS ${target}`,
      ),
      ...(captured.clustered ? [`${on} CLUSTER ON ${name}`] : []),
      ...(captured.replicaIdentity ? [`${on} REPLICA IDENTITY USING INDEX ${name}`] : []),
      ...remarkTexts(captured),
      ...extensionTexts(`ALTER INDEX ${index}`, captured.extensions),
    ].map((sql) => heldStatement(sql, timeouts)),
  ];
}

function createStatistics(captured: CapturedStatistics, context: RestoreContext): readonly Statement[] {
  const alter = `ALTER STATISTICS ${quoteRelation(captured.statistics)}`;
  return [
    definitionText(captured.definition),
    ...(captured.target === null ? [] : [`${alter} SET STATISTICS ${captured.target}`]),
    ...ownerTexts(alter, captured.owner, context),
    ...remarkTexts(captured),
  ].map((sql) => heldStatement(sql, context.timeouts));
}

function onHost(
  definition: string,
  captured: CapturedRule | CapturedTrigger,
  lock: string,
  timeouts: Timeouts,
): readonly Statement[] {
  return [
    servedStatement(definition, lock, timeouts),
    ...[...firingTexts(captured), ...remarkTexts(captured), ...triggerExtensions(captured)].map((sql) =>
      servedStatement(sql, lock, timeouts),
    ),
  ];
}

export function triggerExtensions(captured: CapturedRule | CapturedTrigger): readonly string[] {
  if (captured.kind === "rule") return [];
  const alter = `ALTER TRIGGER ${quoteIdentifier(captured.trigger)} ON ${quoteRelation(captured.on)}`;
  return extensionTexts(alter, captured.extensions);
}

function createPolicy(captured: CapturedPolicy, timeouts: Timeouts): readonly Statement[] {
  const { policy, on, command, permissive, roles } = captured;
  const to = roles.map((role) => (role === "PUBLIC" ? role : quoteIdentifier(role))).join(", ");
  const head = `CREATE POLICY ${quoteIdentifier(policy)} ON ${quoteRelation(on)}`;
  const kind = `AS ${permissive ? "PERMISSIVE" : "RESTRICTIVE"} FOR ${command} TO ${to}`;
  return [`${head} ${kind}${policyConditions(captured)}`, ...remarkTexts(captured)].map((sql) =>
    servedStatement(sql, LOCK, timeouts),
  );
}

export function policyConditions({ using, check }: CapturedPolicy): string {
  return `${using === null ? "" : ` USING (${using})`}${check === null ? "" : ` WITH CHECK (${check})`}`;
}

export function setDefault(captured: CapturedDefault, timeouts: Timeouts): readonly Statement[] {
  const only = captured.onKind === "table" ? "ONLY " : "";
  const host = `${hostWords[captured.onKind]} ${only}${quoteRelation(captured.on)}`;
  const sql = `ALTER ${host} ALTER COLUMN ${quoteIdentifier(captured.column)} SET DEFAULT ${captured.expression}`;
  return [servedStatement(sql, LOCK, timeouts)];
}

/** Every row is read again where it had been validated, while nobody else gets at the table. */
function addCheck(captured: CapturedCheck, timeouts: Timeouts): readonly Statement[] {
  const add = `ADD CONSTRAINT ${quoteIdentifier(captured.constraint)} ${definitionText(captured.definition)}`;
  return [
    longStatement(`ALTER TABLE ${quoteRelation(captured.on)} ${add}`, LOCK, timeouts),
    ...remarkTexts(captured).map((sql) => servedStatement(sql, LOCK, timeouts)),
  ];
}

/** Not OR REPLACE, as the server prints it: somebody may have taken the name in between, and would lose theirs. */
function createFunction(captured: CapturedFunction, context: RestoreContext): readonly Statement[] {
  const routine = routineForSql(captured);
  const definition = definitionText(captured.definition).replace(/^CREATE OR REPLACE /, "CREATE ");
  const placed = captured.grants.map((grant) => ({ column: null, grant }));
  const byDefault = granteesByDefault(context, captured.schema, "functions");
  const plain = (texts: readonly string[]) => texts.map((sql) => heldStatement(sql, context.timeouts));
  return [
    ...plain([BODIES_UNCHECKED, definition, BODIES_CHECKED]),
    ...plain(ownerTexts(`ALTER ${routine}`, captured.owner, context)),
    ...restoreGrantsStatements(routine, captured.owner, placed, byDefault, context),
    ...plain(remarkTexts(captured)),
    ...plain(extensionTexts(`ALTER ${routine}`, captured.extensions)),
  ];
}
