import { quoteIdentifier, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import type { OutputColumn } from "../../snapshot/output-column.ts";
import { collateClause, columnDefinition } from "./column-list.ts";
import { longStatement, servedStatement, type Timeouts } from "./statement.ts";

const LOCK = "ACCESS EXCLUSIVE";

/** A view that readers come through, locked before its table: a reader holds them in that order, and we must not meet it head-on. */
export interface LockedFirst {
  readonly view: RelationName;
  readonly owner: string;
}

/** ALTER … OWNER TO the same owner takes the lock on this view alone and writes nothing; LOCK TABLE would take what is below it, too. */
export function lockViewStatements(first: LockedFirst, timeouts: Timeouts): readonly Statement[] {
  return [
    servedStatement(`ALTER VIEW ${quoteRelation(first.view)} OWNER TO ${quoteIdentifier(first.owner)}`, LOCK, timeouts),
  ];
}

export function addColumnsStatements(
  table: RelationName,
  columns: readonly OutputColumn[],
  timeouts: Timeouts,
): readonly Statement[] {
  if (columns.length === 0) return [];
  const parts = columns.map((column) => `ADD COLUMN ${columnDefinition(column)}`);
  return [servedStatement(`ALTER TABLE ${quoteRelation(table)}\n  ${parts.join(",\n  ")}`, LOCK, timeouts)];
}

/** RESTRICT: whatever still reads a column makes the server refuse, and the whole promotion rolls back. */
export function dropColumnsStatements(
  table: RelationName,
  columns: readonly string[],
  timeouts: Timeouts,
): readonly Statement[] {
  if (columns.length === 0) return [];
  const parts = columns.map((column) => `DROP COLUMN ${quoteIdentifier(column)} RESTRICT`);
  return [servedStatement(`ALTER TABLE ${quoteRelation(table)}\n  ${parts.join(",\n  ")}`, LOCK, timeouts)];
}

/** May rewrite the table under its lock, so it isn't cut off after a minute. */
export function retypeColumnsStatements(
  table: RelationName,
  columns: readonly OutputColumn[],
  timeouts: Timeouts,
): readonly Statement[] {
  if (columns.length === 0) return [];
  const parts = columns.map((column) => {
    const name = quoteIdentifier(column.name);
    const type = [column.type, collateClause(column)].filter((part) => part !== "").join(" ");
    return `ALTER COLUMN ${name} TYPE ${type} USING ${name}::${column.type}`;
  });
  return [longStatement(`ALTER TABLE ${quoteRelation(table)}\n  ${parts.join(",\n  ")}`, LOCK, timeouts)];
}
