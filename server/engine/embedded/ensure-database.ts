import pg from "pg";
import { clientFor, type Door } from "./presence.ts";

/** Where Weir keeps its own state unless told otherwise. */
export const stateDatabase = "weir";

/** Creates the database unless it is there. Two callers at once both succeed. */
export async function ensureDatabase(server: Door, name: string): Promise<void> {
  const client = clientFor(server, "postgres", "weir");
  client.on("error", () => {}); // A lost connection also fails the query.
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount) return;
    // template0, as nobody can be connected to it: a connection to the template refuses the copy.
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE template0`);
  } catch (error) {
    // duplicate_database; unique_violation when both were under way.
    const { code } = error as { readonly code?: string };
    if (code !== "42P04" && code !== "23505") throw error;
  } finally {
    await client.end();
  }
}
