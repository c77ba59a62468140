import { sql } from "drizzle-orm";
import { drizzle, type NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import type { PgDatabase } from "drizzle-orm/pg-core";
import pg from "pg";
import { hashText } from "../core/base/hash.ts";
import { prepareSession, type SessionSettings } from "./connection.ts";
import { stateFault } from "./state-fault.ts";

/** A connection or a transaction on one: what every record file works with. */
export type Session = PgDatabase<NodePgQueryResultHKT>;

export interface Database {
  readonly settings: SessionSettings;
  /** Statements by themselves, from a pool. */
  readonly read: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** One picture of everything: a repeatable-read, read-only transaction. */
  readonly readAtOnce: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** One transaction; whoever waits for changes is woken when it commits. */
  readonly write: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** One transaction that wakes nobody: for claims, which those who wait make on waking. */
  readonly writeQuietly: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** One statement that writes, and wakes whoever waits by itself. */
  readonly writeAlone: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** A connection of its own, for locks that live as long as it does. The caller ends it. */
  readonly openSession: () => Promise<OwnSession>;
  readonly close: () => Promise<void>;
}

export interface OwnSession {
  readonly read: Database["read"];
  readonly writeQuietly: Database["writeQuietly"];
  readonly client: pg.Client;
  readonly end: () => Promise<void>;
}

/** Few: a process reads and writes state one thing after another. */
const POOL_SIZE = 4;

export function openDatabase(settings: SessionSettings): Database {
  const pool = new pg.Pool({
    ...settings.config,
    max: POOL_SIZE,
    allowExitOnIdle: true,
    // pg-pool 3.14 waits for the promise before it hands the connection out.
    onConnect: (client) => prepareSession(client, settings),
  });
  // An idle connection that is cut is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  return {
    settings,
    ...access(drizzle(pool, { casing: "snake_case" }), settings),
    openSession: () => openSession(settings),
    close: () => pool.end(),
  };
}

export async function openSession(settings: SessionSettings): Promise<OwnSession> {
  const client = new pg.Client(settings.config);
  // The server notices the end of a session by itself; here it only must not end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    await prepareSession(client, settings);
  } catch (error) {
    client.end().catch(() => {});
    throw stateFault(settings.target, error);
  }
  return {
    ...access(drizzle(client, { casing: "snake_case" }), settings),
    client,
    end: () => client.end().catch(() => {}),
  };
}

function access(
  session: Session,
  settings: SessionSettings,
): Pick<Database, "read" | "readAtOnce" | "write" | "writeQuietly" | "writeAlone"> {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw stateFault(settings.target, error);
    }
  };
  const channel = changeChannel(settings.schema);
  return {
    read: (work) => guarded(() => work(session)),
    writeAlone: (work) => guarded(() => work(session)),
    readAtOnce: (work) =>
      guarded(() => session.transaction(work, { isolationLevel: "repeatable read", accessMode: "read only" })),
    writeQuietly: (work) => guarded(() => session.transaction(work)),
    write: (work) =>
      guarded(() =>
        session.transaction(async (transaction) => {
          const result = await work(transaction);
          await transaction.execute(sql`select pg_notify(${channel}, '')`);
          return result;
        }),
      ),
  };
}

/** Channels belong to the whole database, where several states may live; names are cut at 63 bytes, hashes are not. */
export function changeChannel(schema: string): string {
  return `weir_${hashText(schema).slice(0, 24)}`;
}
