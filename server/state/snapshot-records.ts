import { inArray } from "drizzle-orm";
import type { Hash } from "../core/base/hash.ts";
import { snapshotSchema } from "../core/plan/values-codec.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import { inChunks } from "./chunks.ts";
import type { Session } from "./database.ts";
import { fromStored, toStored } from "./stored-json.ts";
import { snapshots } from "./tables.ts";

/** Snapshots never change, so that one which is there already is left alone. */
export async function saveSnapshots(session: Session, list: readonly Snapshot[]): Promise<void> {
  for (const chunk of inChunks(list)) {
    const rows = chunk.map((each) => ({
      id: each.id,
      model: each.model.key,
      format: each.format,
      body: toStored(each),
    }));
    await session.insert(snapshots).values(rows).onConflictDoNothing();
  }
}

/** Ids that state doesn't have are left out. @throws AppError `state_unreadable` for one that can't be read. */
export async function readSnapshots(session: Session, ids: readonly Hash[]): Promise<ReadonlyMap<Hash, Snapshot>> {
  const found = new Map<Hash, Snapshot>();
  for (const chunk of inChunks([...new Set(ids)])) {
    const rows = await session
      .select()
      .from(snapshots)
      .where(inArray(snapshots.id, [...chunk]));
    for (const row of rows) {
      const what = `Snapshot ${row.id.slice(0, 12)} of model ${row.model}`;
      const snapshot = fromStored(what, row.body, snapshotSchema);
      found.set(row.id, snapshot);
    }
  }
  return found;
}
