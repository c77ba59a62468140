import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process for longer than its number is: numbers come again, and mean nothing on another machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the platform's own words; "" where that isn't known. */
  readonly started: string;
  readonly machine: string;
}

/** Where process numbers mean the same as here: this boot, this container. */
export const thisMachine: string = [
  hostname(),
  attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
  attempt(() => readlinkSync("/proc/self/ns/pid")),
].join(" ");

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid), machine: thisMachine };
}

export function fateOf(identity: ProcessIdentity): "alive" | "dead" | "out of sight" {
  if (identity.machine !== thisMachine) return "out of sight";
  if (!isRunning(identity.pid)) return "dead";
  return startOf(identity.pid) === identity.started ? "alive" : "dead";
}

/** A zombie doesn't run: where process 1 doesn't collect orphans (containers), a killed server stays one. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statOf(pid)?.[0] !== "Z";
}

/** The command line; undefined where it can't be read. */
export function commandOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    return attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")) || undefined;
  }
  return ps(pid, "command=") || undefined;
}

function startOf(pid: number): string {
  return process.platform === "linux" ? (statOf(pid)?.[19] ?? "") : ps(pid, "lstart=");
}

/** The fields of /proc/<pid>/stat from `state` on; the command before them may hold any character. */
function statOf(pid: number): readonly string[] | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat === "" ? undefined : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function ps(pid: number, field: string): string {
  if (process.platform === "win32") return "";
  return attempt(() =>
    execFileSync("ps", ["-o", field, "-p", String(pid)], { encoding: "utf8", timeout: 5000 }).trim(),
  );
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
