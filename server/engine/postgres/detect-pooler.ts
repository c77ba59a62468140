import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import type { ConnectionSettings } from "../../ports/project-source.ts";
import { connectionTarget } from "./connection-target.ts";
import { openSession, type Session } from "./session.ts";

/**
 * A pooler in transaction mode gives each transaction another server session. Writing through it isn't safe: a
 * statement that runs alone could meet somebody else's settings, and a cancel would hit whoever has the process now.
 *
 * @throws AppError `engine_unsupported`
 */
export async function refuseTransactionPooler(connection: ConnectionSettings): Promise<void> {
  const one = await openSession(connection);
  if (!one.pooled) {
    await one.end();
    return;
  }
  const two = await openSession(connection).catch(async (error: unknown) => {
    await one.end();
    throw error;
  });
  try {
    if (!(await shareServerSessions(one, two))) return;
  } finally {
    await one.end();
    await two.end();
  }
  const target = connectionTarget(connection);
  const reason = `${target} is behind a pooler in transaction mode. Applying needs sessions of its own: use the server's own port, or a pool in session mode.`;
  throw new AppError(problem("engine_unsupported", { reason }));
}

const ROUNDS = 5;

/** One of them between transactions, the other inside one: a pooler that shares sessions hands over the first one's. */
async function shareServerSessions(one: Session, two: Session): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await serverPid(one);
    await two.execute("BEGIN");
    const other = await serverPid(two);
    const after = await serverPid(one);
    await two.execute("ROLLBACK");
    if (before !== after || before === other) return true;
  }
  return false;
}

async function serverPid(session: Session): Promise<number | null> {
  const rows = await session.query<{ readonly pid: number }>({
    text: "SELECT pg_catalog.pg_backend_pid() AS pid",
    values: [],
  });
  return rows[0]?.pid ?? null;
}
