import { quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { longStatement, type Timeouts } from "./statement.ts";

/**
 * `built`: nobody reads it yet. `concurrently`: readers go on (EXCLUSIVE); needs rows and a unique index without a
 * WHERE on plain columns. `waiting`: readers wait until it is done (ACCESS EXCLUSIVE).
 */
export type RefreshManner = "built" | "concurrently" | "waiting";

const locks: Readonly<Record<RefreshManner, string | null>> = {
  built: null,
  concurrently: "EXCLUSIVE",
  waiting: "ACCESS EXCLUSIVE",
};

export function refreshMaterializedViewStatements(
  relation: RelationName,
  manner: RefreshManner,
  timeouts: Timeouts,
): readonly Statement[] {
  const how = manner === "concurrently" ? " CONCURRENTLY" : "";
  return [longStatement(`REFRESH MATERIALIZED VIEW${how} ${quoteRelation(relation)}`, locks[manner], timeouts)];
}
