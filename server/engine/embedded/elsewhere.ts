import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterFolder } from "./cluster-folder.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { thisMachine } from "./process-identity.ts";
import { readRecord } from "./server-record.ts";

/** A watchdog touches the record every two seconds. */
const silenceSeconds = 6;

/**
 * Refuses a folder that a server on another machine, or in another container on a shared volume, works in: neither its
 * process nor its shared memory can be seen from here, so PostgreSQL's own check would let a second server in.
 *
 * Also reached after a reboot or with a new container on an old volume; then the folder is silent.
 */
export async function refuseIfUsedElsewhere(cluster: ClusterFolder): Promise<void> {
  const machine = readRecord(cluster.record)?.machine ?? thisMachine;
  if (machine === thisMachine || !existsSync(join(cluster.data, "postmaster.pid"))) return;
  const before = statSync(cluster.record).mtimeMs;
  if (Math.abs(Date.now() - before) > 2 * silenceSeconds * 1000) return;
  // Compared with itself, not with our clock: the other machine's may differ.
  for (let waited = 0; waited < silenceSeconds; waited += 0.5) {
    await sleep(500);
    if (statSync(cluster.record).mtimeMs !== before)
      throw new EmbeddedError("used_elsewhere", { folder: cluster.folder, machine });
  }
}
