import type { CapturedView } from "../../../catalog/captured.ts";
import type { Statement } from "../../../plan/action.ts";
import type { RestoreContext } from "./restore-context.ts";
import { restoreCarriedStatements } from "./restore-relation.ts";

/**
 * All that the old view carried, on the new one of the same name that has just been made: owner, grants, defaults,
 * comments, labels. `columns` are the new one's; what was on a column that is gone, goes. Comments that the caller says
 * otherwise (our own descriptions) must be null in `old`. Its options are the new view's matter, and its rules and
 * triggers are objects of their own.
 */
export function restoreRootStatements(
  old: CapturedView,
  columns: readonly string[],
  context: RestoreContext,
): readonly Statement[] {
  const next = new Set(columns);
  return restoreCarriedStatements(
    old,
    old.columns.filter((column) => next.has(column.name)),
    context,
  );
}
