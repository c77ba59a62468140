import pg from "pg";

/** One statement on a connection of its own. */
export async function rows<R extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}
