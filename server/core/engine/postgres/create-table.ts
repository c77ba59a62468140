import { quoteIdentifier, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import type { OutputColumn } from "../../snapshot/output-column.ts";
import { columnDefinition } from "./column-list.ts";
import { buildStatement, type Timeouts } from "./statement.ts";
import { parameterList, type StorageSettings } from "./storage-settings.ts";

/** Explicit columns and types, never CREATE TABLE AS: what was approved can't depend on what the query yields that day. */
export function createTableStatements(
  table: {
    readonly relation: RelationName;
    readonly columns: readonly OutputColumn[];
    readonly settings: StorageSettings;
  },
  timeouts: Timeouts,
): readonly Statement[] {
  const { parameters, tablespace, accessMethod, unlogged } = table.settings;
  const clauses = [
    accessMethod === null ? "" : ` USING ${quoteIdentifier(accessMethod)}`,
    parameters.length === 0 ? "" : ` WITH (${parameterList(parameters)})`,
    tablespace === null ? "" : ` TABLESPACE ${quoteIdentifier(tablespace)}`,
  ].join("");
  const columns = table.columns.map((column) => `  ${columnDefinition(column)}`).join(",\n");
  const head = `CREATE ${unlogged ? "UNLOGGED " : ""}TABLE ${quoteRelation(table.relation)}`;
  return [buildStatement(`${head} (\n${columns}\n)${clauses}`, timeouts)];
}
