import type { Statement } from "../../core/plan/action.ts";
import type { Session } from "./session.ts";

export interface Timeouts {
  /** 0: none. Null: as the session has it. */
  readonly lockTimeoutMs: number | null;
  readonly statementTimeoutMs: number | null;
}

/** Sets them for what follows in this transaction, and only where they differ from what was set last. */
export function createTimeoutSetter(session: Session): (timeouts: Timeouts) => Promise<void> {
  let last: Timeouts = { lockTimeoutMs: null, statementTimeoutMs: null };
  return async (timeouts) => {
    if (timeouts.lockTimeoutMs !== last.lockTimeoutMs) {
      await session.execute(`SET LOCAL lock_timeout TO ${settingText(timeouts.lockTimeoutMs)}`);
    }
    if (timeouts.statementTimeoutMs !== last.statementTimeoutMs) {
      await session.execute(`SET LOCAL statement_timeout TO ${settingText(timeouts.statementTimeoutMs)}`);
    }
    last = timeouts;
  };
}

/** A session's own value is what its role or database has: we never set one for good. */
export function settingText(ms: number | null): string {
  return ms === null ? "DEFAULT" : String(Math.max(0, Math.round(ms)));
}

export function timeoutsOf(statement: Statement): Timeouts {
  return { lockTimeoutMs: statement.lockTimeoutMs, statementTimeoutMs: statement.statementTimeoutMs };
}
