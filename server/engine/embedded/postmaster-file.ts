import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onDisk } from "./own-folder.ts";
import { commandOf, isRunning } from "./process-identity.ts";

export interface Postmaster {
  readonly pid: number;
  /** Undefined while the server is so young that it hasn't written it. */
  readonly port: number | undefined;
}

/**
 * The server that runs on this data folder, by PostgreSQL's own postmaster.pid (line 1 process, 4 port); undefined when
 * there is none or the file is a dead one's.
 */
export function runningPostmaster(data: string): Postmaster | undefined {
  const [pid, , , port] = lines(data);
  if (!pid || !isOurs(Number(pid), data)) return undefined;
  return { pid: Number(pid), port: port ? Number(port) : undefined };
}

/**
 * Makes PostgreSQL take a dead server's file for what it is, although its number is in use again by somebody else or
 * by its own zombie (it would refuse to start: "another postmaster running?").
 *
 * Not by deleting it: the file also names the shared memory by which PostgreSQL finds left-over processes of the dead
 * server that still write to the data. A file with its parent's number counts as dead and keeps that check.
 */
export function disarmDeadPostmaster(data: string): void {
  const [pid, ...rest] = lines(data);
  if (!pid || isOurs(Number(pid), data)) return;
  const path = join(data, "postmaster.pid");
  onDisk(path, () => writeFileSync(path, [process.pid, ...rest].join("\n")));
}

function isOurs(pid: number, data: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid || !isRunning(pid)) return false;
  const command = commandOf(pid);
  return command === undefined || command.includes(`-D ${data} `);
}

function lines(data: string): readonly string[] {
  const path = join(data, "postmaster.pid");
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .map((line) => line.trim());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    return onDisk(path, () => {
      throw error;
    });
  }
}
