import type pg from "pg";
import { WarehouseError } from "../../core/catalog/warehouse-error.ts";
import type { ConnectionSettings } from "../../ports/project-source.ts";
import { connectionTarget } from "./connection-target.ts";
import { CopyIn } from "./copy-in.ts";
import { type ErrorPlace, warehouseError } from "./fault-from-error.ts";
import type { Query, RunQuery } from "./query.ts";
import { sessionSettingsQuery } from "./session-settings-query.ts";
import { NO_SQLSTATE } from "./sqlstate.ts";
import { connectWithTls } from "./tls.ts";

/** One connection, set up the same way every time. The only file that imports the driver, with `tls.ts`. */
export interface Session {
  /** The server process, as pg_stat_activity lists it. */
  readonly pid: number;
  /** The process that was announced at the start is another one: something between us hands out sessions. */
  readonly pooled: boolean;
  readonly query: RunQuery;
  /** A statement without parameters, as text. Never more than one: refused by the server. */
  readonly execute: (sql: string) => Promise<Executed>;
  /** The same for a statement whose refusal is an answer and not a failure: null where it was done. */
  readonly attempt: (sql: string) => Promise<Refusal | null>;
  /** BEGIN as given, with our settings in force until its end. */
  readonly begin: (sql: string) => Promise<void>;
  /** Rows into a relation by COPY … FROM STDIN, so that no value stands in a statement or a log. */
  readonly copyIn: (sql: string, lines: Iterable<string>) => Promise<number>;
  readonly inTransaction: () => boolean;
  /** Marks what it is doing as cancelled by us; see `fault-from-error.ts`. */
  readonly markCancelled: () => void;
  readonly isUsable: () => boolean;
  readonly end: () => Promise<void>;
}

export interface Executed {
  /** First word of the command tag: `INSERT`, `SELECT` for CREATE TABLE AS, `CREATE`. */
  readonly command: string;
  readonly rowCount: number | null;
  /** Whether the statement sends rows back. */
  readonly returnsRows: boolean;
}

/** What the server has against a statement. */
export interface Refusal {
  readonly sqlstate: string;
  readonly message: string;
  /** Counted in characters (code points) from 1, in the statement as sent; null where the server gives none. */
  readonly position: number | null;
}

/**
 * @throws WarehouseError `unreachable` where no connection comes about, `refused` where the role may not be taken.
 */
export async function openSession(connection: ConnectionSettings): Promise<Session> {
  const target = connectionTarget(connection);
  let cancelled = false;
  let usable = true;
  const place = (statement: string | null, phase: ErrorPlace["phase"] = "working"): ErrorPlace => ({
    target,
    statement,
    phase,
    cancelled,
  });
  const client = await connectWithTls(connection).catch((error: unknown) => {
    throw warehouseError(error, place(null, "connecting"));
  });
  // A session that dies while nobody waits for it must not end the process; the next statement on it finds out.
  client.on("error", () => {
    usable = false;
  });
  client.on("end", () => {
    usable = false;
  });

  async function guarded<T>(statement: string, work: () => Promise<T>): Promise<T> {
    // Between two statements the server has nothing to cancel, so the next one must not even begin.
    if (cancelled) throw cancelledFault(statement);
    try {
      return await work();
    } catch (error) {
      const fault = warehouseError(error, place(statement));
      if (fault instanceof WarehouseError && fault.fault.kind === "connection_lost") usable = false;
      throw fault;
    }
  }

  const query: RunQuery = <Row>({ text, values }: Query<Row>) =>
    guarded(text, async () => (await client.query(text, [...values])).rows as readonly Row[]);

  const execute = (sql: string): Promise<Executed> =>
    guarded(sql, async () => {
      const config: pg.QueryConfig & { readonly queryMode: "extended" } = { text: sql, queryMode: "extended" };
      const result = await client.query(config);
      return { command: result.command, rowCount: result.rowCount, returnsRows: result.fields.length > 0 };
    });

  const attempt = async (sql: string): Promise<Refusal | null> => {
    try {
      await execute(sql);
      return null;
    } catch (error) {
      if (!(error instanceof WarehouseError) || !saysSomethingAboutStatement(error)) throw error;
      return { sqlstate: error.fault.sqlstate, message: error.fault.message, position: positionOf(error.cause) };
    }
  };

  const end = async (): Promise<void> => {
    usable = false;
    await client.end().catch(() => undefined);
  };

  try {
    const [row] = await query<{ readonly pid: number }>({
      text: "SELECT pg_catalog.pg_backend_pid() AS pid",
      values: [],
    });
    if (row === undefined) throw new Error("pg_backend_pid() returned no row");
    const pooled = announcedPid(client) !== row.pid;
    // Behind a pooler the server's session isn't ours alone: what is set there for good would follow somebody else.
    if (!pooled) await query(sessionSettingsQuery(connection.role, "session"));
    return {
      pid: row.pid,
      pooled,
      query,
      execute,
      attempt,
      begin: async (sql) => {
        await execute(sql);
        if (pooled) await query(sessionSettingsQuery(connection.role, "transaction"));
      },
      copyIn: (sql, lines) =>
        guarded(sql, () => new Promise((resolve, reject) => client.query(new CopyIn(sql, lines, resolve, reject)))),
      inTransaction: () => client.getTransactionStatus() === "T",
      markCancelled: () => {
        cancelled = true;
      },
      isUsable: () => usable && !cancelled,
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Classes 25, 40, 53, 55, 57 and 58 speak of the session or the server at this moment, all others of the statement. */
function saysSomethingAboutStatement(error: WarehouseError): boolean {
  return error.fault.kind === "refused" && !/^(25|40|53|55|57|58)/.test(error.fault.sqlstate);
}

function positionOf(error: unknown): number | null {
  const position: unknown = error instanceof Error ? Reflect.get(error, "position") : null;
  return typeof position === "string" && position !== "" ? Number(position) : null;
}

function announcedPid(client: pg.Client): number | null {
  const pid: unknown = Reflect.get(client, "processID");
  return typeof pid === "number" ? pid : null;
}

function cancelledFault(statement: string): WarehouseError {
  return new WarehouseError({
    kind: "cancelled",
    sqlstate: NO_SQLSTATE,
    message: "cancelled on request",
    statement,
    details: [],
  });
}
