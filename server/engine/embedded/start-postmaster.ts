import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterFolder } from "./cluster-folder.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { freePort, host, isTaken } from "./free-port.ts";
import { disarmDeadPostmaster } from "./postmaster-file.ts";
import { thisMachine } from "./process-identity.ts";
import type { RunAs } from "./run-as.ts";
import { cleanEnvironment, userOf } from "./run-program.ts";
import type { Binaries } from "./runnable-binaries.ts";
import { openServerLog, type ServerLog } from "./server-log.ts";
import { readRecord, writeRecord } from "./server-record.ts";

/** Recovery after a crash is replayed within this; our clusters are small. */
const readyLimitSeconds = 120;
/** How long processes that a killed server left behind may take to notice. They do at their next wait. */
const leftoverLimitSeconds = 30;
const portAttempts = 5;

export interface Start {
  readonly cluster: ClusterFolder;
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
  readonly fsync: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Starts the server, detached from us, and waits by `knock` until it lets us in. The caller holds the home's lock and
 * has seen that no server runs.
 */
export async function startPostmaster<T>(start: Start, knock: () => Promise<T | undefined>): Promise<T> {
  const { cluster } = start;
  const began = performance.now();
  for (let attempt = 1; ; attempt++) {
    const record = readRecord(cluster.record);
    if (record === undefined)
      throw new EmbeddedError("record_unreadable", { path: cluster.record, reason: "it is gone" });
    const port = await freePort(attempt === 1 ? record.port : null);
    disarmDeadPostmaster(cluster.data);
    writeRecord(cluster.record, { ...record, port, machine: thisMachine, binaries: start.binaries.folder });
    const log = openServerLog(cluster.log);
    try {
      const exit = launch(start, port, log);
      const entered = await untilReady(exit, knock);
      if (entered !== undefined) return entered;
      const tail = log.since();
      const waited = (performance.now() - began) / 1000;
      if (tail.includes("pre-existing shared memory block") && waited < leftoverLimitSeconds) {
        await sleep(300);
      } else if (!(await isTaken(port)) || attempt >= portAttempts) {
        throw failure(cluster, exit.reason ?? `not ready after ${readyLimitSeconds} seconds`, tail);
      }
    } finally {
      log.close();
    }
  }
}

/** What became of the child; filled in when it ends. */
interface Exit {
  reason: string | undefined;
  readonly kill: () => void;
}

function launch({ cluster, binaries, runAs, fsync, settings }: Start, port: number, log: ServerLog): Exit {
  const options = Object.entries({
    listen_addresses: host,
    port: String(port),
    // Everybody comes over loopback with the password; a socket in a shared temp folder would be one more door.
    unix_socket_directories: "",
    logging_collector: "off",
    log_checkpoints: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    ...(fsync ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...settings,
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const windows = process.platform === "win32";
  // On Windows only pg_ctl can drop an administrator's rights; it ends at once with 0 and leaves the server running.
  const [program, args] = windows
    ? [binaries.pgCtl, ["start", "-W", "-s", "-D", cluster.data, "-o", options.map((each) => `"${each}"`).join(" ")]]
    : [binaries.postgres, ["-D", cluster.data, ...options]];
  const child = spawn(program, args, {
    ...userOf(runAs),
    cwd: windows ? cluster.folder : "/",
    env: cleanEnvironment(),
    detached: true,
    stdio: ["ignore", log.file, log.file],
    windowsHide: true,
  });
  const exit: Exit = { reason: undefined, kill: () => child.kill("SIGINT") };
  child.on("error", (error) => {
    exit.reason = error.message;
  });
  child.on("exit", (code, signal) => {
    if (!windows || code !== 0)
      exit.reason = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
  });
  child.unref();
  return exit;
}

async function untilReady<T>(exit: Exit, knock: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = performance.now() + readyLimitSeconds * 1000;
  while (exit.reason === undefined && performance.now() < deadline) {
    const entered = await knock();
    if (entered !== undefined) return entered;
    await sleep(20);
  }
  // Nobody could adopt it; left running it would only block the next start.
  if (exit.reason === undefined) exit.kill();
  return undefined;
}

function failure(cluster: ClusterFolder, reason: string, log: string): EmbeddedError {
  if (log.includes("No space left on device")) {
    return new EmbeddedError("disk_full", {
      path: cluster.folder,
      detail: log.trim().split("\n").at(-1)?.trim() ?? "",
    });
  }
  return new EmbeddedError("start_failed", { folder: cluster.folder, reason, log });
}
