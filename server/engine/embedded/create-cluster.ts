import { randomBytes } from "node:crypto";
import { chownSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ClusterFolder, insideCluster } from "./cluster-folder.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { makeFolder, onDisk, writeWhole } from "./own-folder.ts";
import { disarmDeadPostmaster } from "./postmaster-file.ts";
import { thisMachine } from "./process-identity.ts";
import { unfinished } from "./remove-leftovers.ts";
import type { RunAs } from "./run-as.ts";
import { lastLines, runProgram } from "./run-program.ts";
import type { Binaries } from "./runnable-binaries.ts";
import { superuser, writeRecord } from "./server-record.ts";

/** Under load and with a slow disk; a second is usual. */
const limitSeconds = 120;

/**
 * Sets up a new cluster beside its place and moves it there with its password, so that whoever dies at any point leaves
 * either nothing or all of it. The caller holds the home's lock.
 */
export async function createCluster(
  cluster: ClusterFolder,
  binaries: Binaries,
  runAs: RunAs | undefined,
  fsync: boolean,
): Promise<void> {
  const fresh = insideCluster(`${cluster.folder}${unfinished}${randomBytes(4).toString("hex")}`);
  try {
    makeFolder(fresh.folder);
    makeFolder(fresh.data, 0o700);
    if (runAs) onDisk(fresh.data, () => chownSync(fresh.data, runAs.uid, runAs.gid));
    const password = newPassword();
    await initdb(fresh.folder, fresh.data, password, binaries, runAs, fsync);
    writeRecord(fresh.record, { password, port: null, machine: thisMachine, binaries: binaries.folder });
    onDisk(cluster.folder, () => renameSync(fresh.folder, cluster.folder));
  } catch (error) {
    rmSync(fresh.folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

async function initdb(
  folder: string,
  data: string,
  password: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  fsync: boolean,
): Promise<void> {
  // In a file, since arguments and, for a while, environments can be read by others.
  const passwordFile = join(folder, "password");
  writeWhole(passwordFile, password, 0o600);
  if (runAs) onDisk(passwordFile, () => chownSync(passwordFile, runAs.uid, runAs.gid));
  const { code, output } = await runProgram({
    program: binaries.initdb,
    args: [
      `--pgdata=${data}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // PostgreSQL's own locale: sorting is the same on every system and doesn't move with its libraries.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
      ...(fsync ? [] : ["--no-sync"]),
    ],
    runAs,
    limitSeconds,
  });
  rmSync(passwordFile, { force: true });
  if (code === 0) return;
  if (output.includes("No space left on device")) {
    throw new EmbeddedError("disk_full", { path: folder, detail: lastLines(output, 3).trim() });
  }
  const reason = code === null ? "initdb could not be run or was ended" : `initdb ended with code ${code}`;
  throw new EmbeddedError("initdb_failed", { folder: dirname(folder), reason, log: lastLines(output) });
}

/** Gives the superuser a new password where ours was lost. PostgreSQL's single-user mode asks for none. */
export async function resetPassword(
  cluster: ClusterFolder,
  binaries: Binaries,
  runAs: RunAs | undefined,
): Promise<void> {
  const password = newPassword();
  disarmDeadPostmaster(cluster.data);
  const { code, output } = await runProgram({
    program: binaries.postgres,
    args: ["--single", "-D", cluster.data, "-c", "exit_on_error=true", "postgres"],
    runAs,
    limitSeconds,
    input: `ALTER ROLE ${superuser} PASSWORD '${password}'\n`,
  });
  if (code !== 0) {
    throw new EmbeddedError("start_failed", {
      folder: cluster.folder,
      reason: "its password could not be set",
      log: lastLines(output),
    });
  }
  writeRecord(cluster.record, { password, port: null, machine: thisMachine, binaries: binaries.folder });
}

/** Hexadecimal: needs quoting nowhere, neither in SQL nor in a URL. */
function newPassword(): string {
  return randomBytes(24).toString("hex");
}
