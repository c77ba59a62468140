import type { Session } from "./session.ts";

/**
 * Runs `work` in a transaction and ends it whatever happens: COMMIT where it returns, ROLLBACK where it throws. The
 * error that is thrown is the first one; that a dead session can't roll back any more adds nothing to it.
 */
export async function inTransaction<T>(session: Session, begin: string, work: () => Promise<T>): Promise<T> {
  await session.begin(begin);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (session.isUsable()) await session.execute("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await session.execute("COMMIT");
  return result;
}
