import type { ConnectionSettings } from "../../ports/project-source.ts";

/** How messages name a database: host, port, database and user, and nothing else of its settings. */
export function connectionTarget(connection: ConnectionSettings): string {
  return `${connection.database} on ${connection.host}:${connection.port} as ${connection.user}`;
}
