import type { Statement } from "../../plan/action.ts";

/** How long statements may wait and run; see `makeTimeouts`. */
export interface Timeouts {
  /** Waiting for a lock on what readers use: beyond it every later reader would queue behind us. */
  readonly readersLockMs: number;
  readonly ddlMs: number;
}

const LONGEST_READERS_LOCK_MS = 250;
const DDL_MS = 60_000;

/**
 * Half of deadlock_timeout at most, so that when we and a reader wait for each other it is us who give up:
 * the server looks for deadlocks only after the whole of it, and then ends whichever comes first, usually the reader.
 */
export function makeTimeouts(deadlockTimeoutMs: number): Timeouts {
  return {
    readersLockMs: Math.max(1, Math.min(LONGEST_READERS_LOCK_MS, Math.floor(deadlockTimeoutMs / 2))),
    ddlMs: DDL_MS,
  };
}

/** DDL on what nobody reads yet. */
export function buildStatement(sql: string, timeouts: Timeouts): Statement {
  return { sql, lock: null, lockTimeoutMs: null, statementTimeoutMs: timeouts.ddlMs, alone: false };
}

/** DDL on what readers use: `lock` in Postgres' words, waited for only briefly. */
export function servedStatement(sql: string, lock: string, timeouts: Timeouts): Statement {
  return { sql, lock, lockTimeoutMs: timeouts.readersLockMs, statementTimeoutMs: timeouts.ddlMs, alone: false };
}

/** DDL on what this transaction has made or holds already. Should it wait all the same, readers wait with it: briefly. */
export function heldStatement(sql: string, timeouts: Timeouts): Statement {
  return { ...buildStatement(sql, timeouts), lockTimeoutMs: timeouts.readersLockMs };
}

/**
 * Moves or reads rows: may take as long as it takes, a heartbeat and a cancel watch over it. Only a lock that excludes
 * readers makes them queue behind us while we wait for it; any other may be waited for like any DDL.
 */
export function longStatement(sql: string, lock: string | null, timeouts: Timeouts): Statement {
  const waits = lock === "ACCESS EXCLUSIVE" ? timeouts.readersLockMs : timeouts.ddlMs;
  return { sql, lock, lockTimeoutMs: lock === null ? null : waits, statementTimeoutMs: 0, alone: false };
}
