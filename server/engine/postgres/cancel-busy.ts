import type { ConnectionSettings } from "../../ports/project-source.ts";
import { openSession, type Session } from "./session.ts";

/**
 * Asks the server, over a connection of its own, to end what these sessions are doing. Each is marked first: between
 * two statements there is nothing to cancel, and the next one must not begin.
 */
export async function cancelBusy(connection: ConnectionSettings, busy: readonly Session[]): Promise<void> {
  if (busy.length === 0) return;
  for (const session of busy) session.markCancelled();
  const own = await openSession(connection);
  try {
    const text = "SELECT pg_catalog.pg_cancel_backend(u.pid) FROM pg_catalog.unnest($1::int[]) AS u(pid)";
    await own.query({ text, values: [busy.map((session) => session.pid)] });
  } finally {
    await own.end();
  }
}
