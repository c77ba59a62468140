import { hashText, shortId } from "../../../base/hash.ts";
import { quoteIdentifier, quoteRelation, type RelationName, relationKey } from "../../../base/relation-name.ts";
import type { Statement } from "../../../plan/action.ts";
import { servedStatement, type Timeouts } from "../statement.ts";

const LOCK = "ACCESS EXCLUSIVE";

/** What a view is called while another takes its place. Never seen by anybody: it is gone before the commit. */
export function asideView(view: RelationName): RelationName {
  return { schema: view.schema, name: `__weir_aside_${shortId(hashText(relationKey(view)), 16)}` };
}

/**
 * Frees the view's name. Whatever depends on the view goes on doing so, and prints the new name from here on: capture
 * before. Its rules and triggers stay on it, and are to be made again on the view that takes its place.
 */
export function setAsideStatements(view: RelationName, timeouts: Timeouts): readonly Statement[] {
  const sql = `ALTER VIEW ${quoteRelation(view)} RENAME TO ${quoteIdentifier(asideView(view).name)}`;
  return [servedStatement(sql, LOCK, timeouts)];
}

/** The proof that everything has been moved over: with RESTRICT the server refuses while anything still depends on it. */
export function dropAsideStatements(view: RelationName, timeouts: Timeouts): readonly Statement[] {
  return [servedStatement(`DROP VIEW ${quoteRelation(asideView(view))} RESTRICT`, LOCK, timeouts)];
}
