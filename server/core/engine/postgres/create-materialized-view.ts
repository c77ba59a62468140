import { quoteIdentifier, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { columnList, enclosedQuery } from "./column-list.ts";
import { buildStatement, type Timeouts } from "./statement.ts";
import { parameterList, type StorageSettings } from "./storage-settings.ts";

/** Made empty: it is filled by a refresh of its own, which runs as its owner and may take as long as it takes. */
export function createMaterializedViewStatements(
  view: {
    readonly relation: RelationName;
    readonly columns: readonly string[];
    readonly query: string;
    readonly settings: StorageSettings;
  },
  timeouts: Timeouts,
): readonly Statement[] {
  const { parameters, tablespace, accessMethod } = view.settings;
  const clauses = [
    accessMethod === null ? "" : ` USING ${quoteIdentifier(accessMethod)}`,
    parameters.length === 0 ? "" : ` WITH (${parameterList(parameters)})`,
    tablespace === null ? "" : ` TABLESPACE ${quoteIdentifier(tablespace)}`,
  ].join("");
  const head = `CREATE MATERIALIZED VIEW ${quoteRelation(view.relation)} (${columnList(view.columns)})${clauses} AS`;
  return [buildStatement(`${head}\n${enclosedQuery(view.query)}WITH NO DATA`, timeouts)];
}
