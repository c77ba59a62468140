import { quoteRelation, relationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { servedStatement, type Timeouts } from "./statement.ts";

/** Takes ACCESS EXCLUSIVE on the index's table, so it is asked for briefly like anything that readers could queue behind. */
export function dropIndexStatements(schema: string, index: string, timeouts: Timeouts): readonly Statement[] {
  return [
    servedStatement(`DROP INDEX ${quoteRelation(relationName(schema, index))} RESTRICT`, "ACCESS EXCLUSIVE", timeouts),
  ];
}
