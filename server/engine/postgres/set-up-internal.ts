import { WarehouseError } from "../../core/catalog/warehouse-error.ts";
import type { Statement } from "../../core/plan/action.ts";
import { namingBlockers } from "./blockers.ts";
import { inTransaction } from "./in-transaction.ts";
import type { Session } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";
import { isRaceToCreate } from "./sqlstate.ts";
import { createTimeoutSetter, timeoutsOf } from "./timeouts.ts";

/** "weir" in ASCII: first applies take turns. */
const SET_UP_LOCK = 0x77656972;

/** Each statement does nothing where its object is there; what still collides is done once more, and then it is there. */
export async function setUpInternal(pool: SessionPool, statements: readonly Statement[]): Promise<void> {
  try {
    await pool.use((session) => setUpOnce(pool, session, statements));
  } catch (error) {
    if (!(error instanceof WarehouseError) || !isRaceToCreate(error.fault.sqlstate)) throw error;
    await pool.use((session) => setUpOnce(pool, session, statements));
  }
}

function setUpOnce(pool: SessionPool, session: Session, statements: readonly Statement[]): Promise<void> {
  return inTransaction(session, "BEGIN", async () => {
    await session.query({ text: "SELECT pg_catalog.pg_advisory_xact_lock($1)", values: [SET_UP_LOCK] });
    const setTimeouts = createTimeoutSetter(session);
    for (const statement of statements) {
      await setTimeouts(timeoutsOf(statement));
      await namingBlockers(pool, session, statement.lockTimeoutMs ?? 0, () => session.execute(statement.sql));
    }
  });
}
