import { quoteIdentifier, quoteRelation, type RelationName, relationKey } from "../../../core/base/relation-name.ts";
import type { CatalogRelation, Grant } from "../../../core/catalog/catalog.ts";
import type { Guard } from "../../../core/plan/action.ts";
import type { LockableRow } from "../catalog/lockable-query.ts";
import type { Timeouts } from "../timeouts.ts";
import { changedLine, type GuardContext, guardFailed } from "./guard-context.ts";
import { lockRelation } from "./lock-relation.ts";
import { readLocked } from "./read-locked.ts";

export async function checkBare(
  context: GuardContext,
  guard: Extract<Guard, { kind: "bare" }>,
  timeouts: Timeouts,
): Promise<void> {
  const row = await lockRelation(context, guard.relation, timeouts, "bare");
  const before = await readLocked(context, row.oid, timeouts);
  const differences = [
    ...(row.owner === guard.owner
      ? []
      : [`${relationKey(guard.relation)} belongs to ${row.owner}, not to ${guard.owner}`]),
    ...(before.relation?.fingerprint === guard.fingerprint ? [] : [changedLine(guard.relation)]),
    ...before.dependents.map((dependent) => `${dependent} depends on ${relationKey(guard.relation)}`),
  ];
  if (differences.length > 0) throw guardFailed(differences);
  await holdGrants(context, guard.relation, row, timeouts);
  const after = await readLocked(context, row.oid, timeouts);
  if (grantsText(before.relation) !== grantsText(after.relation)) throw guardFailed([changedLine(guard.relation)]);
}

/**
 * Up to PostgreSQL 17 GRANT takes no lock on a relation, so one could slip in before our DROP and be lost. Writing the
 * rows that it writes makes it wait: one of pg_class, and one of pg_attribute for each column. Giving the owner what
 * the owner has anyway changes nothing, on an object that is about to be dropped.
 */
async function holdGrants(
  context: GuardContext,
  relation: RelationName,
  row: LockableRow,
  timeouts: Timeouts,
): Promise<void> {
  if (!row.may_alter) return;
  const target = `ON ${quoteRelation(relation)} TO ${quoteIdentifier(row.owner)}`;
  await context.executeText(`GRANT SELECT ${target}`, timeouts);
  if (row.columns.length === 0) return;
  await context.executeText(`GRANT SELECT (${row.columns.map(quoteIdentifier).join(", ")}) ${target}`, timeouts);
}

/** Of everybody but the owner, whose own grants are ours. Under the lock nothing else can have changed. */
function grantsText(relation: CatalogRelation | null): string {
  if (relation === null) return "";
  const others = (grants: readonly Grant[]): readonly Grant[] =>
    grants.filter((grant) => grant.grantee !== relation.owner);
  return JSON.stringify([others(relation.grants), relation.columns.map((column) => others(column.grants))]);
}
