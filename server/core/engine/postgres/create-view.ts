import { quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { columnList, plainQuery } from "./column-list.ts";
import { buildStatement, type Timeouts } from "./statement.ts";
import { parameterList, type StorageSettings } from "./storage-settings.ts";

/** The physical view of a version. Every column is named, so that the server can't name them otherwise than we recorded. */
export function createViewStatements(
  view: {
    readonly relation: RelationName;
    readonly columns: readonly string[];
    readonly query: string;
    readonly settings: StorageSettings;
  },
  timeouts: Timeouts,
): readonly Statement[] {
  const { parameters } = view.settings;
  const options = parameters.length === 0 ? "" : ` WITH (${parameterList(parameters)})`;
  const head = `CREATE VIEW ${quoteRelation(view.relation)} (${columnList(view.columns)})${options} AS`;
  return [buildStatement(`${head}\n${plainQuery(view.query)}`, timeouts)];
}
