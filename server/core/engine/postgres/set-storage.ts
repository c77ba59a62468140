import { quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { servedStatement, type Timeouts } from "./statement.ts";
import { parameterKey, parameterList } from "./storage-settings.ts";

/** Storage parameters changed in place; readers go on (SHARE UPDATE EXCLUSIVE). */
export function setStorageStatements(
  target: { readonly relation: RelationName; readonly type: "VIEW" | "MATERIALIZED VIEW" | "TABLE" },
  change: { readonly set: readonly (readonly [string, string])[]; readonly reset: readonly string[] },
  timeouts: Timeouts,
): readonly Statement[] {
  const head = `ALTER ${target.type} ${quoteRelation(target.relation)}`;
  const texts = [
    ...(change.set.length === 0 ? [] : [`${head} SET (${parameterList(change.set)})`]),
    ...(change.reset.length === 0 ? [] : [`${head} RESET (${change.reset.map(parameterKey).join(", ")})`]),
  ];
  const lock = target.type === "VIEW" ? "ACCESS EXCLUSIVE" : "SHARE UPDATE EXCLUSIVE";
  return texts.map((sql) => servedStatement(sql, lock, timeouts));
}
