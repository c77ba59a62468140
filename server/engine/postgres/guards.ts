import { quoteIdentifier, quoteRelation, type RelationName, relationKey } from "../../core/base/relation-name.ts";
import { assertNever } from "../../core/base/result.ts";
import type { CatalogRelation, Grant } from "../../core/catalog/catalog.ts";
import { displayObject } from "../../core/catalog/display-object.ts";
import { WarehouseError } from "../../core/catalog/warehouse-error.ts";
import type { Guard } from "../../core/plan/action.ts";
import { type LockableRow, lockableQuery } from "./catalog/lockable-query.ts";
import { readClosures } from "./catalog/read-closures.ts";
import { relationOidsQuery } from "./catalog/relation-oids-query.ts";
import type { Executed, Session } from "./session.ts";
import { NO_SQLSTATE } from "./sqlstate.ts";
import type { Timeouts } from "./timeouts.ts";

/** What checking needs of the transaction it happens in. */
export interface GuardContext {
  readonly session: Session;
  readonly within: <T>(timeouts: Timeouts, work: () => Promise<T>) => Promise<T>;
  readonly executeText: (sql: string, timeouts: Timeouts) => Promise<Executed>;
}

/**
 * Checks under a lock that what the plan relied on still holds. Until the transaction ends nobody can change it.
 *
 * @throws WarehouseError `guard_failed`, with what differs, one line each
 */
export async function checkGuard(context: GuardContext, guard: Guard, lockTimeoutMs: number | null): Promise<void> {
  const timeouts: Timeouts = { lockTimeoutMs: lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS, statementTimeoutMs: 60_000 };
  switch (guard.kind) {
    case "absent":
      return checkAbsent(context, guard.relation);
    case "unchanged":
      return checkUnchanged(context, guard, timeouts);
    case "bare":
      return checkBare(context, guard, timeouts);
    case "captured":
    case "rows_remembered":
    case "rows_same":
    case "ordinals":
      throw new Error(`guard ${guard.kind} isn't checked yet`);
    default:
      return assertNever(guard);
  }
}

/** A guard before a step that says nothing of its own locks. */
const DEFAULT_LOCK_TIMEOUT_MS = 250;

/** Nothing to lock: whoever makes it first makes our own CREATE fail, which is as good. */
async function checkAbsent({ session }: GuardContext, relation: RelationName): Promise<void> {
  const rows = await session.query(relationOidsQuery([relation]));
  if (rows.length > 0) throw guardFailed([`${relationKey(relation)} exists, and the plan was made without it`]);
}

async function checkUnchanged(
  context: GuardContext,
  guard: Extract<Guard, { kind: "unchanged" }>,
  timeouts: Timeouts,
): Promise<void> {
  const row = await lock(context, guard.relation, timeouts, "unchanged");
  const { relation } = await readOne(context, row.oid, timeouts);
  if (relation?.fingerprint !== guard.fingerprint) throw guardFailed([changedLine(guard.relation)]);
}

async function checkBare(
  context: GuardContext,
  guard: Extract<Guard, { kind: "bare" }>,
  timeouts: Timeouts,
): Promise<void> {
  const row = await lock(context, guard.relation, timeouts, "bare");
  const before = await readOne(context, row.oid, timeouts);
  const differences = [
    ...(row.owner === guard.owner
      ? []
      : [`${relationKey(guard.relation)} belongs to ${row.owner}, not to ${guard.owner}`]),
    ...(before.relation?.fingerprint === guard.fingerprint ? [] : [changedLine(guard.relation)]),
    ...before.dependents.map((dependent) => `${dependent} depends on ${relationKey(guard.relation)}`),
  ];
  if (differences.length > 0) throw guardFailed(differences);
  await holdGrants(context, guard.relation, row, timeouts);
  const after = await readOne(context, row.oid, timeouts);
  if (grantsText(before.relation) !== grantsText(after.relation)) throw guardFailed([changedLine(guard.relation)]);
}

/**
 * Takes the lock that keeps others from changing the relation, and never one on what it reads: LOCK TABLE on a view
 * goes down to its tables. Giving a view to the owner it has takes ACCESS EXCLUSIVE on the view alone and writes
 * nothing. A table that is only to stay as it is gets SHARE UPDATE EXCLUSIVE, under which readers and writers go on.
 * What isn't ours to alter can't be locked: it is looked at, and that is all.
 */
async function lock(
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

async function readLockable({ session }: GuardContext, relation: RelationName): Promise<LockableRow> {
  const [row] = await session.query(lockableQuery(relation));
  if (row === undefined) throw guardFailed([`${relationKey(relation)} is gone`]);
  return row;
}

async function readOne(
  { session, within }: GuardContext,
  oid: number,
  timeouts: Timeouts,
): Promise<{ readonly relation: CatalogRelation | null; readonly dependents: readonly string[] }> {
  const read = await within(timeouts, () => readClosures(session.query, [oid], []));
  const [closure] = read.closures;
  const name = closure === undefined ? null : relationKey(closure.root);
  return {
    relation: read.relations.find((each) => relationKey(each.name) === name) ?? null,
    dependents: (closure?.members ?? []).map(
      (member) => `${member.object.type} ${displayObject(member.object)} (${member.owner})`,
    ),
  };
}

function changedLine(relation: RelationName): string {
  return `${relationKey(relation)} was changed since the plan was made`;
}

function guardFailed(details: readonly string[]): WarehouseError {
  return new WarehouseError({
    kind: "guard_failed",
    sqlstate: NO_SQLSTATE,
    message: details.join("; "),
    statement: null,
    details,
  });
}
