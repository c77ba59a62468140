import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { onDisk, ownerToKeep } from "./own-folder.ts";
import { lastLines } from "./run-program.ts";

const limitBytes = 4 * 1024 * 1024;

export interface ServerLog {
  readonly file: number;
  /** What was written since it was opened here. */
  since(): string;
  close(): void;
}

/** server.log, opened to be handed to the server. Kept to two files of limited size; turned over at starts only. */
export function openServerLog(path: string): ServerLog {
  return onDisk(path, () => {
    if (existsSync(path) && statSync(path).size > limitBytes) renameSync(path, `${path}.1`);
    // As root we may be writing in a plain user's folder: a link planted there is not followed.
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    const owner = ownerToKeep(dirname(path));
    if (owner) fchownSync(file, owner.uid, owner.gid);
    const start = fstatSync(file).size;
    return {
      file,
      since: () => {
        const buffer = Buffer.alloc(Math.min(fstatSync(file).size - start, 256 * 1024));
        readSync(file, buffer, 0, buffer.length, start);
        return lastLines(buffer.toString("utf8"));
      },
      close: () => closeSync(file),
    };
  });
}
