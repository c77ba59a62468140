import type { ConnectionSettings } from "../../ports/project-source.ts";
import { openSession, type Session } from "./session.ts";

/** Sessions that are lent out one at a time and kept for the next borrower unless something happened to them. */
export interface SessionPool {
  readonly use: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** Those lent out at this moment. */
  readonly busy: () => readonly Session[];
  readonly close: () => Promise<void>;
}

export function createSessionPool(connection: ConnectionSettings): SessionPool {
  const idle: Session[] = [];
  const busy = new Set<Session>();
  let closed = false;

  const take = async (): Promise<Session> => {
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) {
      if (session.isUsable()) return session;
      await session.end();
    }
    return openSession(connection);
  };

  const giveBack = async (session: Session, clean: boolean): Promise<void> => {
    busy.delete(session);
    if (clean && !closed && session.isUsable() && !session.inTransaction()) idle.push(session);
    else await session.end();
  };

  return {
    use: async (work) => {
      const session = await take();
      busy.add(session);
      let clean = false;
      try {
        const result = await work(session);
        clean = true;
        return result;
      } finally {
        await giveBack(session, clean);
      }
    },
    busy: () => [...busy],
    close: async () => {
      closed = true;
      await Promise.all(idle.splice(0).map((session) => session.end()));
    },
  };
}
