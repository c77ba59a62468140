import type { Session } from "./database.ts";
import { projects } from "./tables.ts";

/** A project exists once something was saved for it; the one without a name is the empty text. */
export async function ensureProject(session: Session, name: string): Promise<void> {
  await session.insert(projects).values({ name }).onConflictDoNothing();
}
