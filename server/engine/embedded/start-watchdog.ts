import { spawn } from "node:child_process";
import { parse } from "node:path";
import type { ClusterFolder } from "./cluster-folder.ts";
import { cleanEnvironment } from "./run-program.ts";
import { watchdogProgram } from "./watchdog-program.ts";

/** Starts a watchdog that outlives us. One too many ends by itself: the server lets only one hold the watchdog's lock. */
export function startWatchdog({ record, data }: ClusterFolder, idleSeconds: number): void {
  // No password here: arguments can be read by others. It reads the record, as we do. The program goes through the
  // environment to keep a hundred lines of it out of `ps`.
  const task = JSON.stringify({ record, data, idleSeconds });
  const child = spawn(process.execPath, ["-e", "eval(process.env.WEIR_WATCHDOG)", "--", task], {
    cwd: parse(data).root,
    env: { ...cleanEnvironment(), WEIR_WATCHDOG: watchdogProgram },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => {}); // Then the server stays on until the next opener tries again.
  child.unref();
}
