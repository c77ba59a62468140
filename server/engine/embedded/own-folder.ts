import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fchownSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";

/** Runs file work of ours; turns what the disk says into a fault with its place. */
export function onDisk<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw diskFault(path, error);
  }
}

export function diskFault(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof EmbeddedError || typeof code !== "string") return error;
  if (code === "ENOSPC" || code === "EDQUOT") return new EmbeddedError("disk_full", { path, detail: message });
  return new EmbeddedError("folder_unwritable", { path, reason: message });
}

/**
 * Makes a folder and its missing parents. As root they must be passable for the user the server runs as, whatever
 * root's umask; as a plain user nobody else has business there.
 */
export function makeFolder(path: string, mode: number = process.getuid?.() === 0 ? 0o755 : 0o700): void {
  onDisk(path, () => {
    const first = mkdirSync(path, { recursive: true });
    if (first === undefined) return;
    const owner = ownerToKeep(dirname(first));
    for (let at = path; ; at = dirname(at)) {
      chmodSync(at, mode);
      if (owner) chownSync(at, owner.uid, owner.gid);
      if (at === first) break;
    }
  });
}

/**
 * Writes a file whole or not at all. As root in a plain user's folder (sudo) the file is given to that user, who
 * could not read it tomorrow otherwise. A link planted there is not followed: the file is new, then renamed.
 */
export function writeWhole(path: string, content: string, mode: number): void {
  onDisk(path, () => {
    const fresh = join(dirname(path), `.new-${randomBytes(6).toString("hex")}`);
    const file = openSync(fresh, "wx", mode);
    try {
      writeSync(file, content);
      const owner = ownerToKeep(dirname(path));
      if (owner) fchownSync(file, owner.uid, owner.gid);
      closeSync(file);
      renameSync(fresh, path);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  });
}

/** Root's files in somebody else's folder go to that somebody. */
export function ownerToKeep(folder: string): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}
