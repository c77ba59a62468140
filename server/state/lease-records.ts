import { and, asc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { compareText } from "../core/base/relation-name.ts";
import type { Lease, LeaseOutcome, LeaseRecords, LeaseRequest } from "../ports/state-store.ts";
import { leaseLock, upgradeLock } from "./advisory-lock.ts";
import type { Database, OwnSession, Session } from "./database.ts";
import { leaseScopes, leases } from "./tables.ts";

export interface HeldLeases extends LeaseRecords {
  /** Ends the sessions, and with them the leases. */
  readonly endAll: () => Promise<void>;
}

/**
 * A lease is a row and a session: its holder keeps an advisory lock in a session of its own, which the server gives
 * up the moment that the process is gone. So a lease needs no heartbeat, and never outlives its holder.
 */
export function openLeases(database: Database): HeldLeases {
  const { schema } = database.settings;
  const sessions = new Map<number, OwnSession>();

  const acquireLease = async (request: LeaseRequest): Promise<LeaseOutcome> => {
    const session = await database.openSession();
    let outcome: LeaseOutcome | null = null;
    try {
      await session.read((own) => own.execute(sql`select pg_advisory_lock_shared(${upgradeLock(schema)})`));
      outcome = await session.writeQuietly((own) => takeScopes(own, schema, request));
      if (outcome.ok) sessions.set(outcome.lease.epoch, session);
      return outcome;
    } finally {
      if (outcome?.ok !== true) await session.end();
    }
  };

  const releaseLease = async (lease: Lease): Promise<void> => {
    const session = sessions.get(lease.epoch);
    sessions.delete(lease.epoch);
    try {
      await database.write((own) => endLeases(own, [lease.epoch]));
    } finally {
      // Also when that can't be written: a process that goes on living must not hold on to what it no longer needs.
      await session?.end();
    }
  };

  const endAll = async (): Promise<void> => {
    await Promise.all([...sessions.values()].map((session) => session.end()));
    sessions.clear();
  };

  return { acquireLease, releaseLease, endAll };
}

/**
 * For every write of a holder, first in its transaction: whoever takes the lease over waits until that has ended, and
 * what comes after is refused. @throws AppError `fence_lost`.
 */
export async function requireLease(session: Session, lease: Lease): Promise<void> {
  const held = await session
    .select({ epoch: leases.epoch })
    .from(leases)
    .where(and(eq(leases.epoch, lease.epoch), isNull(leases.endedAt)))
    .for("share");
  if (held.length === 1) return;
  const [taken] = await session
    .select({ scope: leaseScopes.scope })
    .from(leaseScopes)
    .where(and(inArray(leaseScopes.scope, [...lease.scopes]), ne(leaseScopes.epoch, lease.epoch)))
    .orderBy(asc(leaseScopes.scope))
    .limit(1);
  throw new AppError(problem("fence_lost", { scope: taken?.scope ?? lease.scopes.join(", ") }));
}

async function takeScopes(session: Session, schema: string, request: LeaseRequest): Promise<LeaseOutcome> {
  const scopes = [...new Set(request.scopes)].sort(compareText);
  if (scopes.length === 0) throw new Error("a lease needs at least one scope");
  await session
    .insert(leaseScopes)
    .values(scopes.map((scope) => ({ scope })))
    .onConflictDoNothing();
  // Rows are locked in name order, so that two requests with common scopes wait for each other, never in a ring.
  const rows = await session
    .select()
    .from(leaseScopes)
    .where(inArray(leaseScopes.scope, scopes))
    .orderBy(asc(leaseScopes.scope))
    .for("update");
  const epochs = [...new Set(rows.flatMap((row) => (row.epoch === null ? [] : [row.epoch])))];
  // By a statement of its own: the one above may have waited, and would join with leases as they were before.
  const standing = await readStanding(session, schema, epochs);
  for (const { scope, epoch } of rows) {
    const lease = standing.find((each) => each.epoch === epoch);
    if (lease?.alive === true) return { ok: false, scope, holder: lease.holder, since: lease.since, run: lease.run };
  }
  await endLeases(
    session,
    standing.map((each) => each.epoch),
  );
  const [row] = await session
    .insert(leases)
    .values({ run: request.run, holder: request.holder })
    .returning({ epoch: leases.epoch });
  if (row === undefined) throw new Error("an inserted lease came back without a row");
  // The key is new with the epoch, so nobody else can have it; the lock outlives the transaction, as its session's.
  await session.execute(sql`select pg_advisory_lock(${leaseLock(schema, row.epoch)})`);
  await session.update(leaseScopes).set({ epoch: row.epoch }).where(inArray(leaseScopes.scope, scopes));
  return { ok: true, lease: { run: request.run, scopes, epoch: row.epoch } };
}

/** Who holds a lease now, for whoever has to wait for all of them. */
export async function liveHolders(session: Session, schema: string): Promise<readonly string[]> {
  const open = await session.select({ epoch: leases.epoch }).from(leases).where(isNull(leases.endedAt));
  const standing = await readStanding(
    session,
    schema,
    open.map((each) => each.epoch),
  );
  return standing.filter((each) => each.alive).map((each) => each.holder);
}

interface StandingLease {
  readonly epoch: number;
  readonly run: string;
  readonly holder: string;
  readonly since: string;
  readonly alive: boolean;
}

/** Leases nobody ended; alive ones are those whose lock can't be had. Taken shared, two that look don't see each other. */
async function readStanding(
  session: Session,
  schema: string,
  epochs: readonly number[],
): Promise<readonly StandingLease[]> {
  if (epochs.length === 0) return [];
  return session
    .select({
      epoch: leases.epoch,
      run: leases.run,
      holder: leases.holder,
      since: leases.since,
      alive: sql<boolean>`not pg_try_advisory_xact_lock_shared(${leaseLock(schema, sql`${leases.epoch}`)})`,
    })
    .from(leases)
    .where(and(inArray(leases.epoch, [...epochs]), isNull(leases.endedAt)))
    .orderBy(asc(leases.epoch));
}

async function endLeases(session: Session, epochs: readonly number[]): Promise<void> {
  if (epochs.length === 0) return;
  await session
    .update(leases)
    .set({ endedAt: sql`now()` })
    .where(and(inArray(leases.epoch, [...epochs]), isNull(leases.endedAt)));
}
