import { WarehouseError } from "../../core/catalog/warehouse-error.ts";
import type { Query } from "./query.ts";
import type { Session } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";
import { SQLSTATE } from "./sqlstate.ts";

/**
 * Runs `work`, which may wait for locks for at most `lockTimeoutMs`, and names who it waited for if it gave up.
 * The question is asked from another session while the wait lasts: once the timeout has struck, nobody blocks any more.
 */
export async function namingBlockers<T>(
  pool: SessionPool,
  session: Session,
  lockTimeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  if (lockTimeoutMs <= 0) return work();
  let asked: Promise<readonly string[]> | null = null;
  const timer = setTimeout(() => {
    asked = readBlockers(pool, session.pid).catch(() => []);
  }, lockTimeoutMs * ASK_AFTER);
  try {
    return await work();
  } catch (error) {
    if (asked === null || !(error instanceof WarehouseError) || error.fault.sqlstate !== SQLSTATE.lockNotAvailable) {
      throw error;
    }
    throw new WarehouseError({ ...error.fault, details: await asked });
  } finally {
    clearTimeout(timer);
  }
}

/** Early enough for the answer to arrive before the timeout, late enough that most waits are over by then. */
const ASK_AFTER = 0.4;

/** Who `pid` waits for now, one line each: `pid 4711 bi_team "SELECT …" since 12 s`. */
async function readBlockers(pool: SessionPool, pid: number): Promise<readonly string[]> {
  const rows = await pool.use((session) => session.query(blockersQuery(pid)));
  return rows.map(describeBlocker);
}

interface BlockerRow {
  readonly pid: number;
  readonly usename: string | null;
  readonly state: string | null;
  readonly query: string | null;
  readonly seconds: number | null;
}

function blockersQuery(pid: number): Query<BlockerRow> {
  return { text: TEXT, values: [pid] };
}

/** A prepared transaction holds locks without a process: pg_blocking_pids gives 0 for it. */
const TEXT = `
SELECT b.pid, a.usename::text AS usename, a.state, pg_catalog.left(a.query, 80) AS query,
       pg_catalog.floor(EXTRACT(epoch FROM pg_catalog.clock_timestamp()
         - CASE WHEN a.state = 'active' THEN a.query_start ELSE a.xact_start END))::int AS seconds
  FROM (SELECT DISTINCT u.pid FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids($1)) AS u(pid)) b
  LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = b.pid
 ORDER BY b.pid`;

function describeBlocker(row: BlockerRow): string {
  if (row.pid === 0) return "a prepared transaction";
  const who = `pid ${row.pid}${row.usename === null ? "" : ` ${row.usename}`}`;
  const what = row.query === null ? "" : ` "${row.query.replace(/\s+/g, " ").trim()}"`;
  const idle = row.state?.startsWith("idle in transaction") ? ", idle in its transaction" : "";
  return `${who}${what}${row.seconds === null ? "" : ` since ${row.seconds} s`}${idle}`;
}
