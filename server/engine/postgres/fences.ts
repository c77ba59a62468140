import { compareText } from "../../core/base/relation-name.ts";
import { WarehouseError } from "../../core/catalog/warehouse-error.ts";
import type { Fence } from "../../ports/warehouse.ts";
import { inTransaction } from "./in-transaction.ts";
import { takeFencesQuery } from "./internal-queries.ts";
import type { Session } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";

/**
 * Takes all scopes over at once, in order. Whoever still writes under one of them holds it FOR SHARE and is waited for
 * a moment, then ended: the lease is ours already, so that process is dead or has to stop, and its transaction can't
 * commit without a client. Without this, resuming would wait for hours for what rolls back anyway.
 */
export async function takeFences(pool: SessionPool, scopes: readonly string[]): Promise<readonly Fence[]> {
  const sorted = [...new Set(scopes)].sort(compareText);
  return pool.use((session) => endingHolders(pool, session, () => takeAll(session, sorted)));
}

const GRACE_MS = 1_000;
const ASK_AGAIN_MS = 500;
const PATIENCE_MS = 60_000;

async function takeAll(session: Session, scopes: readonly string[]): Promise<readonly Fence[]> {
  return inTransaction(session, "BEGIN", async () => {
    await session.execute(`SET LOCAL lock_timeout = ${PATIENCE_MS}`);
    const rows = await session.query(takeFencesQuery(scopes));
    const epochs = new Map(rows.map((row) => [row.scope, Number(row.epoch)]));
    return scopes.map((scope) => ({ scope, epoch: epochs.get(scope) ?? 0 }));
  });
}

/** While `work` waits, ends those it waits for. Bounded by the lock timeout of what it does. */
async function endingHolders<T>(pool: SessionPool, waiting: Session, work: () => Promise<T>): Promise<T> {
  let done = false;
  let timer: NodeJS.Timeout | null = null;
  let asking: Promise<void> = Promise.resolve();
  const again = (ms: number): void => {
    timer = setTimeout(() => {
      asking = endBlockers(pool, waiting.pid).then(() => {
        if (!done) again(ASK_AGAIN_MS);
      });
    }, ms);
  };
  again(GRACE_MS);
  try {
    return await work();
  } finally {
    done = true;
    if (timer !== null) clearTimeout(timer);
    await asking;
  }
}

/** Another role's session can't be ended by us (42501): then there is only waiting. */
async function endBlockers(pool: SessionPool, pid: number): Promise<void> {
  const text = `SELECT pg_catalog.pg_terminate_backend(u.pid)
                  FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids($1)) AS u(pid) WHERE u.pid <> 0`;
  try {
    await pool.use((session) => session.query({ text, values: [pid] }));
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error;
  }
}
