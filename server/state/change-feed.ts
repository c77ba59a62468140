import { changeChannel, type Database, type OwnSession } from "./database.ts";

export interface ChangeFeed {
  /** Resolves at the next write of anybody, or after `ms`. Never fails: without a connection it only waits. */
  readonly wait: (ms: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** One listening session for all that wait in this process, opened by the first of them. */
export function openChangeFeed(database: Database): ChangeFeed {
  let session: Promise<OwnSession> | null = null;
  let ended = false;
  const waiting = new Set<() => void>();

  /** A change came while nobody waited: whoever waits next read before it and must look again. */
  let missed = false;

  const wake = (): void => {
    missed = waiting.size === 0;
    const all = [...waiting];
    waiting.clear();
    for (const resolve of all) resolve();
  };

  const listen = async (): Promise<OwnSession> => {
    const own = await database.openSession();
    const forget = (): void => {
      session = null;
    };
    own.client.on("notification", wake);
    own.client.on("error", forget);
    own.client.on("end", forget);
    // The hash in a channel's name needs no quoting.
    await own.client.query(`LISTEN ${changeChannel(database.settings.schema)}`);
    return own;
  };

  const wait = async (ms: number): Promise<void> => {
    if (ended) return;
    if (missed) {
      missed = false;
      return;
    }
    if (session === null) {
      session = listen();
      session.catch(() => {
        session = null;
      });
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiting.add(done);
    });
  };

  const end = async (): Promise<void> => {
    ended = true;
    wake();
    const own = await session?.catch(() => null);
    await own?.end();
  };

  return { wait, end };
}
