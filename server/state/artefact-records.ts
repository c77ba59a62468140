import { eq } from "drizzle-orm";
import type { Hash } from "../core/base/hash.ts";
import type { SeedRows } from "../ports/project-source.ts";
import type { Session } from "./database.ts";
import { fromStoredList, toStored } from "./stored-json.ts";
import { artefacts } from "./tables.ts";

/** Addressed by content: saving one again changes nothing. */
export async function saveArtefact(session: Session, hash: Hash, seed: SeedRows): Promise<void> {
  await session
    .insert(artefacts)
    .values({ hash, columns: toStored(seed.columns), rows: toStored(seed.rows) })
    .onConflictDoNothing();
}

export async function readArtefact(session: Session, hash: Hash): Promise<SeedRows | null> {
  const [row] = await session.select().from(artefacts).where(eq(artefacts.hash, hash));
  if (row === undefined) return null;
  const what = `Artefact ${hash.slice(0, 12)}`;
  return { columns: fromStoredList(what, row.columns), rows: fromStoredList(what, row.rows) };
}
