import { quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { longStatement, type Timeouts } from "./statement.ts";

/** New rows without statistics give bad plans until autovacuum comes by, a minute or more later. */
export function analyzeStatements(relation: RelationName, timeouts: Timeouts): readonly Statement[] {
  return [longStatement(`ANALYZE ${quoteRelation(relation)}`, null, timeouts)];
}
