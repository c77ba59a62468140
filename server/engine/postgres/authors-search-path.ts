import type { Session } from "./session.ts";

/**
 * Our own text names every schema, and definitions are only spelled in one way where nothing is searched. Authors name
 * what lies in `public` by its bare name, tables and functions of extensions above all, as the server itself has it.
 */
const PATHS = { ours: "''", authors: "public" } as const;

/** Sets it for what follows in this transaction, and only where it differs from what was set last. */
export function createSearchPathSetter(session: Session): (whose: keyof typeof PATHS) => Promise<void> {
  let last: keyof typeof PATHS = "ours";
  return async (whose) => {
    if (whose !== last) await session.execute(`SET LOCAL search_path TO ${PATHS[whose]}`);
    last = whose;
  };
}

/** The same where there is no transaction: for one statement, and taken back after it. */
export async function withAuthorsSearchPath<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.execute(`SET search_path TO ${PATHS.authors}`);
  const result = await work();
  await session.execute(`SET search_path TO ${PATHS.ours}`);
  return result;
}
