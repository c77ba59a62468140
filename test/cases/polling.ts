import pg from "pg";
import type { World } from "./world.ts";

/** A reader on a connection of its own that asks again as soon as it has an answer, for as long as `work` takes. */
export async function polling(world: World, query: string, work: () => Promise<unknown>) {
  const { host, port, user = "", password } = world.client;
  const reader = new pg.Client({ host, port, user, password: password ?? "", database: world.database });
  await reader.connect();
  const answers: Record<string, unknown>[] = [];
  const errors: unknown[] = [];
  let going = true;
  const loop = (async () => {
    while (going) {
      try {
        const { rows } = await reader.query<Record<string, unknown>>(query);
        answers.push(rows[0] ?? {});
      } catch (error) {
        errors.push(error);
      }
    }
  })();
  try {
    await work();
  } finally {
    going = false;
    await loop;
    await reader.end();
  }
  return { answers, errors };
}
