import pg from "pg";
import type { ConnectionSettings } from "../../ports/project-source.ts";

type Tls = NonNullable<pg.ClientConfig["ssl"]>;

/**
 * libpq's sslmode, which the driver doesn't have: `prefer` (also the default) and `allow` try one way and then the
 * other; `require` encrypts without checking the certificate, `verify-ca` checks its issuer, `verify-full` its host too.
 */
export async function connectWithTls(connection: ConnectionSettings): Promise<pg.Client> {
  const [first, ...others] = waysOf(connection.sslmode);
  try {
    return await connect(connection, first);
  } catch (error) {
    for (const way of others) if (mayTryOtherWay(error)) return connect(connection, way);
    throw error;
  }
}

function waysOf(sslmode: string | null): readonly [Tls | false, ...(Tls | false)[]] {
  switch (sslmode) {
    case "disable":
      return [false];
    case "allow":
      return [false, { rejectUnauthorized: false }];
    case "require":
      return [{ rejectUnauthorized: false }];
    case "verify-ca":
      return [{ rejectUnauthorized: true, checkServerIdentity: () => undefined }];
    case "verify-full":
      return [{ rejectUnauthorized: true }];
    default:
      return [{ rejectUnauthorized: false }, false];
  }
}

/**
 * 28000: pg_hba.conf has no entry for this kind of connection. A server without TLS is told by the driver in words
 * alone, since the protocol's answer is the single letter N.
 */
function mayTryOtherWay(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return Reflect.get(error, "code") === "28000" || error.message.includes("does not support SSL");
}

async function connect(connection: ConnectionSettings, ssl: Tls | false): Promise<pg.Client> {
  const client = new pg.Client({
    host: connection.host,
    port: connection.port,
    user: connection.user,
    password: connection.password,
    database: connection.database,
    ssl,
    connectionTimeoutMillis: connection.connectTimeoutSeconds * 1000,
    application_name: connection.applicationName ?? "weir",
    keepAlive: true,
  });
  // The driver emits as well as rejects; without a listener the emitted one would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
