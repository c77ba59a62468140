import { quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { longStatement, type Timeouts } from "./statement.ts";

/** Rows of a seed are an artefact, sent after these statements in the same transaction; only old rows are taken away here. */
export function loadSeedStatements(
  relation: RelationName,
  rows: { readonly replace: boolean; readonly served: boolean },
  timeouts: Timeouts,
): readonly Statement[] {
  return rows.replace
    ? [longStatement(`DELETE FROM ${quoteRelation(relation)}`, rows.served ? "ROW EXCLUSIVE" : null, timeouts)]
    : [];
}
