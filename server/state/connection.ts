import pg from "pg";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { quoteIdentifier } from "../core/base/relation-name.ts";
import type { ConnectionSettings } from "../ports/project-source.ts";

/** How to reach the state database: a URL as libpq reads it, or the settings of a gateway. Holds secrets. */
export type StateConnection = string | ConnectionSettings;

export interface SessionSettings {
  readonly config: pg.ClientConfig;
  readonly role: string | null;
  /** The only schema that a session sees, besides pg_catalog. */
  readonly schema: string;
  /** `host:port/database as user`; never a password. */
  readonly target: string;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** @throws AppError `state_unreachable` for a URL that isn't one; its text is not repeated, since it may hold a password. */
export function sessionSettings(connection: StateConnection, schema: string, applicationName: string): SessionSettings {
  const config = typeof connection === "string" ? urlConfig(connection) : settingsConfig(connection);
  const whole = {
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: applicationName,
    ...config,
  };
  const role = typeof connection === "string" ? null : connection.role;
  return { config: whole, role, schema, target: describeTarget(whole) };
}

/**
 * A session in our own setting: moments in UTC, only our schema to be seen. A session that holds a lease is idle most
 * of the time, so no limit ends it, but the server asks after its host: one that vanished without a word (half-open)
 * is given up within 30 s. A process that is frozen within a transaction must not lock out the others for ever.
 * @throws AppError `state_forbidden` for a role that can't be taken on.
 */
export async function prepareSession(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  if (settings.role !== null) await setRole(client, settings.role, settings.target);
  const statements = [
    `SET search_path TO ${quoteIdentifier(settings.schema)}`,
    "SET TimeZone TO 'UTC'",
    "SET DateStyle TO 'ISO'",
    "SET idle_session_timeout TO 0",
    "SET idle_in_transaction_session_timeout TO '60s'",
    "SET tcp_keepalives_idle TO 15",
    "SET tcp_keepalives_interval TO 5",
    "SET tcp_keepalives_count TO 3",
    "SET default_transaction_isolation TO 'read committed'",
  ];
  await client.query(statements.join("; "));
}

async function setRole(client: pg.ClientBase, role: string, target: string): Promise<void> {
  try {
    await client.query(`SET ROLE ${quoteIdentifier(role)}`);
  } catch (error) {
    // 22023: no such role, 42501: not a member of it. Anything else is the connection's.
    if (error instanceof pg.DatabaseError && (error.code === "22023" || error.code === "42501")) {
      throw new AppError(problem("state_forbidden", { target, reason: error.message }));
    }
    throw error;
  }
}

function urlConfig(url: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url)) throw unusableUrl("it must begin with postgresql://");
  // A bare @ or / of a password would end the password there, and its rest would be shown as host or database.
  const beforeHost = url.slice(url.indexOf("//") + 2, Math.max(url.indexOf("//") + 2, url.lastIndexOf("@")));
  if (/[@/?#]/.test(beforeHost)) throw unusableUrl("write @ / ? # in a user, password or option as %40 %2F %3F %23");
  try {
    // The driver parses on construction and opens nothing before connect().
    new pg.Client({ connectionString: url });
  } catch {
    throw unusableUrl("it can't be understood");
  }
  return { connectionString: url };
}

function unusableUrl(reason: string): AppError {
  return new AppError(problem("state_unreachable", { target: "given by URL", reason }));
}

function settingsConfig(connection: ConnectionSettings): pg.ClientConfig {
  return {
    host: connection.host,
    port: connection.port,
    user: connection.user,
    password: connection.password,
    database: connection.database,
    ssl: sslOption(connection.sslmode),
    connectionTimeoutMillis: connection.connectTimeoutSeconds * 1000,
  };
}

/** libpq's words. `prefer` and `allow` would try both ways, which the driver doesn't: they mean no encryption here. */
function sslOption(sslmode: string | null): NonNullable<pg.ClientConfig["ssl"]> {
  switch (sslmode) {
    case "require":
      return { rejectUnauthorized: false };
    case "verify-ca":
      return { checkServerIdentity: () => undefined };
    case "verify-full":
      return true;
    default:
      return false;
  }
}

function describeTarget(config: pg.ClientConfig): string {
  const { host, port, database, user } = new pg.Client(config);
  return `${host}:${port}/${database ?? ""} as ${user ?? ""}`;
}
