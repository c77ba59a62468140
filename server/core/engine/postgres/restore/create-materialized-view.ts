import { quoteIdentifier, quoteRelation } from "../../../base/relation-name.ts";
import type { CapturedMaterializedView, CapturedStoredColumn } from "../../../catalog/captured.ts";
import type { Statement } from "../../../plan/action.ts";
import { analyzeStatements } from "../analyze.ts";
import { columnList } from "../column-list.ts";
import { refreshMaterializedViewStatements } from "../refresh-materialized-view.ts";
import { heldStatement, servedStatement, type Timeouts } from "../statement.ts";
import { definitionText } from "./captured-names.ts";
import { tablespaceText } from "./local-settings.ts";
import { optionClause, optionList } from "./option-list.ts";
import type { RestoreContext } from "./restore-context.ts";
import { restoreCarriedStatements } from "./restore-relation.ts";

/** Without rows: they are computed as its owner, and under another search_path. */
export function createMaterializedViewStatements(
  captured: CapturedMaterializedView,
  context: RestoreContext,
): readonly Statement[] {
  const { timeouts } = context;
  return [
    heldStatement(tablespaceText(captured.tablespace), timeouts),
    servedStatement(createText(captured), "ACCESS EXCLUSIVE", timeouts),
    ...storageTexts(captured).map((sql) => heldStatement(sql, timeouts)),
    ...restoreCarriedStatements(captured, captured.columns, context),
  ];
}

/**
 * Due once its indexes and statistics are there, so that each is built and filled once. Runs as its owner whoever asks,
 * and under the authors' search_path: functions that it calls may name things without their schema. Nothing to do where
 * it had no rows.
 */
export function refreshStatements(captured: CapturedMaterializedView, timeouts: Timeouts): readonly Statement[] {
  if (!captured.populated) return [];
  return [
    ...refreshMaterializedViewStatements(captured.relation, "waiting", timeouts),
    ...analyzeStatements(captured.relation, timeouts),
  ];
}

function createText(captured: CapturedMaterializedView): string {
  const names = columnList(captured.columns.map((column) => column.name));
  const options = [...captured.options, ...captured.toastOptions.map((option) => `toast.${option}`)];
  const head = `${quoteRelation(captured.relation)} (${names}) USING ${quoteIdentifier(captured.accessMethod)}`;
  const query = definitionText(captured.definition);
  return `CREATE MATERIALIZED VIEW ${head}${optionClause(options)} AS\n${query}\nWITH NO DATA`;
}

function storageTexts({ relation, columns, replicaIdentity }: CapturedMaterializedView): readonly string[] {
  const clauses = [
    ...columns.flatMap(columnClauses),
    ...(replicaIdentity === "full" || replicaIdentity === "nothing"
      ? [`REPLICA IDENTITY ${replicaIdentity.toUpperCase()}`]
      : []),
  ];
  return clauses.length === 0 ? [] : [`ALTER MATERIALIZED VIEW ${quoteRelation(relation)} ${clauses.join(", ")}`];
}

function columnClauses(column: CapturedStoredColumn): readonly string[] {
  const settings = [
    ...(column.storage === null ? [] : [`SET STORAGE ${column.storage}`]),
    ...(column.compression === null ? [] : [`SET COMPRESSION ${column.compression}`]),
    ...(column.statisticsTarget === null ? [] : [`SET STATISTICS ${column.statisticsTarget}`]),
    ...(column.options.length === 0 ? [] : [`SET (${optionList(column.options)})`]),
  ];
  return settings.map((setting) => `ALTER COLUMN ${quoteIdentifier(column.name)} ${setting}`);
}
