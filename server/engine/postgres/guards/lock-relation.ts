import { quoteIdentifier, quoteRelation, type RelationName, relationKey } from "../../../core/base/relation-name.ts";
import { type LockableRow, lockableQuery } from "../catalog/lockable-query.ts";
import type { Timeouts } from "../timeouts.ts";
import { changedLine, type GuardContext, guardFailed } from "./guard-context.ts";

/**
 * Takes the lock that keeps others from changing the relation, and never one on what it reads: LOCK TABLE on a view
 * goes down to its tables. Giving a view to the owner it has takes ACCESS EXCLUSIVE on the view alone and writes
 * nothing. A table that is only to stay as it is gets SHARE UPDATE EXCLUSIVE, under which readers and writers go on.
 * What isn't ours to alter can't be locked: it is looked at, and that is all.
 */
export async function lockRelation(
  context: GuardContext,
  relation: RelationName,
  timeouts: Timeouts,
  purpose: "unchanged" | "bare",
): Promise<LockableRow> {
  const before = await readLockable(context, relation);
  const sql = lockStatement(relation, before, purpose);
  if (sql === null) return before;
  await context.executeText(sql, timeouts);
  const after = await readLockable(context, relation);
  // Somebody gave it away or made it anew between our look and our lock, and OWNER TO has taken it back: undo all.
  const tookItBack = after.written_by_us && after.xmin !== before.xmin;
  if (tookItBack || after.oid !== before.oid) throw guardFailed([changedLine(relation)]);
  return after;
}

const ALTER: Readonly<Record<string, string>> = {
  v: "ALTER VIEW",
  m: "ALTER MATERIALIZED VIEW",
  r: "ALTER TABLE",
  p: "ALTER TABLE",
  f: "ALTER FOREIGN TABLE",
};

function lockStatement(relation: RelationName, row: LockableRow, purpose: "unchanged" | "bare"): string | null {
  if (!row.may_alter) return null;
  const isTable = row.relkind === "r" || row.relkind === "p";
  if (isTable && purpose === "unchanged") {
    return `LOCK TABLE ONLY ${quoteRelation(relation)} IN SHARE UPDATE EXCLUSIVE MODE`;
  }
  const verb = ALTER[row.relkind];
  return verb === undefined ? null : `${verb} ${quoteRelation(relation)} OWNER TO ${quoteIdentifier(row.owner)}`;
}

async function readLockable({ session }: GuardContext, relation: RelationName): Promise<LockableRow> {
  const [row] = await session.query(lockableQuery(relation));
  if (row === undefined) throw guardFailed([`${relationKey(relation)} is gone`]);
  return row;
}
