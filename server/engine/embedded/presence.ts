import pg from "pg";
import { EmbeddedError } from "./embedded-error.ts";
import { host } from "./free-port.ts";
import { superuser } from "./server-record.ts";
import { presenceLock, watchdogName } from "./watchdog-program.ts";

/**
 * One connection that an opener keeps until it releases. It tells the watchdog "in use" also while the opener's pools are
 * empty, and goes with its process however that ends.
 *
 * It holds an advisory lock shared; the watchdog takes the same lock alone before it stops the server. So PostgreSQL itself
 * decides between the last idle second and the first new user: nobody is let in and then thrown out.
 */
export interface Presence {
  /** Whether a watchdog was there on arrival. */
  readonly watched: boolean;
  /** Whether the state's database was there on arrival. */
  readonly hasDatabase: boolean;
  leave(): Promise<void>;
}

export interface Door {
  readonly port: number;
  readonly password: string;
}

const rejoinMs = { first: 1000, most: 60_000 };
const leaveMs = 2000;

/** Undefined while the server can't be entered: not up yet, in recovery, on its way down, or gone. */
export async function enter(door: Door, database: string): Promise<Presence | undefined> {
  const first = await connect(door);
  if (first === undefined) return undefined;
  const seen = await attend(first, database);
  if (seen === undefined) return undefined;
  unref(first);
  let current: pg.Client | undefined = first;
  let timer: NodeJS.Timeout | undefined;
  let patience = rejoinMs.first;

  // A crash of any backend closes all connections although the server goes on; then we must be seen again.
  const rejoinLater = (): void => {
    current = undefined;
    if (timer !== undefined) return;
    timer = setTimeout(async () => {
      const client = await connect(door).catch(() => undefined);
      const back = client && (await attend(client, database).catch(() => undefined));
      if (timer === undefined) return void client?.end().catch(() => {}); // left meanwhile
      timer = undefined;
      if (client === undefined || back === undefined) {
        patience = Math.min(patience * 2, rejoinMs.most);
        return rejoinLater();
      }
      patience = rejoinMs.first;
      unref(client);
      current = client;
      client.once("end", rejoinLater);
    }, patience).unref();
  };
  first.once("end", rejoinLater);

  return {
    ...seen,
    leave: async () => {
      clearTimeout(timer);
      timer = undefined;
      const client = current;
      current = undefined;
      client?.off("end", rejoinLater);
      await end(client);
    },
  };
}

export function clientFor({ port, password }: Door, database: string, name: string): pg.Client {
  return new pg.Client({
    host,
    port,
    user: superuser,
    password,
    database,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    // Said, so that PGSSLMODE and PGOPTIONS of the environment, meant for other servers, don't count.
    ssl: false,
    options: "-c search_path=pg_catalog",
  });
}

async function connect(door: Door): Promise<pg.Client | undefined> {
  const client = clientFor(door, "postgres", "weir presence");
  client.on("error", () => {}); // Its "end" follows.
  try {
    await client.connect();
  } catch (error) {
    // A refusal of class 57P (starting, recovering, going down) will change; any other won't by knocking again.
    if (error instanceof pg.DatabaseError && !error.code?.startsWith("57P")) {
      const { message, code = "" } = error;
      throw new EmbeddedError("server_refuses", { address: `${host}:${door.port}`, reason: message, sqlstate: code });
    }
    return undefined;
  }
  return client;
}

/** Being present must not keep a finished process alive. (Missing from @types/pg.) */
function unref(client: pg.Client): void {
  (client as unknown as { unref(): void }).unref();
}

interface Seen {
  readonly watched: boolean;
  readonly hasDatabase: boolean;
}

async function attend(client: pg.Client, database: string): Promise<Seen | undefined> {
  try {
    const { rows } = await client.query<Seen & { readonly attends: boolean }>(
      `SELECT pg_try_advisory_lock_shared(${presenceLock}) AS attends,
              EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '${watchdogName}') AS watched,
              EXISTS (SELECT FROM pg_database WHERE datname = $1) AS "hasDatabase"`,
      [database],
    );
    const [row] = rows;
    if (row?.attends) return { watched: row.watched, hasDatabase: row.hasDatabase };
  } catch {
    // It ended under us.
  }
  await end(client);
  return undefined;
}

async function end(client: pg.Client | undefined): Promise<void> {
  if (client === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, leaveMs);
  });
  await Promise.race([client.end().catch(() => {}), limit]);
  clearTimeout(timer);
}
