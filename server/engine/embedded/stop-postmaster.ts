import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterFolder } from "./cluster-folder.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { runningPostmaster } from "./postmaster-file.ts";
import { isRunning } from "./process-identity.ts";
import { runProgram } from "./run-program.ts";
import { readRecord } from "./server-record.ts";

/** Ends the server: politely with a checkpoint, then without, then by message. Users are disconnected. */
export async function stopPostmaster(cluster: ClusterFolder): Promise<void> {
  for (const [signal, mode, seconds] of [
    ["SIGINT", "fast", 60],
    ["SIGQUIT", "immediate", 10],
  ] as const) {
    const server = runningPostmaster(cluster.data);
    if (server === undefined) return;
    if (process.platform === "win32") await pgCtlStop(cluster, mode);
    else send(cluster, server.pid, signal);
    if (await ended(server.pid, seconds)) return;
  }
  const pid = runningPostmaster(cluster.data)?.pid;
  if (pid !== undefined) throw new EmbeddedError("stop_failed", { folder: cluster.folder, pid });
}

async function ended(pid: number, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

function send(cluster: ClusterFolder, pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Else it is gone already.
    const anotherUsers = (error as NodeJS.ErrnoException).code === "EPERM";
    if (anotherUsers) throw new EmbeddedError("stop_failed", { folder: cluster.folder, pid });
  }
}

/** Windows has no signals to send. */
async function pgCtlStop(cluster: ClusterFolder, mode: string): Promise<void> {
  const folder = readRecord(cluster.record)?.binaries ?? "";
  const args = ["stop", "-m", mode, "-D", cluster.data];
  await runProgram({ program: `${folder}\\pg_ctl.exe`, args, runAs: undefined, limitSeconds: 60 });
}
