import type { ConnectionSettings } from "../../server/ports/project-source.ts";
import type { TestDatabase } from "./database.ts";

/** A test database as a gateway's settings, without a role unless one is given. */
export function connectionTo(database: TestDatabase, changes: Partial<ConnectionSettings> = {}): ConnectionSettings {
  return {
    type: "postgres",
    host: database.host,
    port: database.port,
    user: database.user,
    password: database.password,
    database: database.database,
    role: null,
    sslmode: "disable",
    connectTimeoutSeconds: 10,
    applicationName: null,
    ...changes,
  };
}
