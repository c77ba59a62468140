import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";

/** The user that PostgreSQL runs as when we are root, which it refuses. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

const candidates = ["postgres", "nobody"];

/** Undefined: as ourselves. `data` is the data folder if it is there already: its owner alone may read it. */
export function chooseRunAs(data: string | undefined): RunAs | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  const users = readUsers();
  if (uid !== 0) {
    if (data === undefined && !hasName()) throw new EmbeddedError("unnamed_user", { uid });
    return undefined;
  }
  if (data !== undefined) {
    const owner = statSync(data);
    if (owner.uid !== 0) {
      const name = users.find((user) => user.uid === owner.uid)?.name ?? String(owner.uid);
      return { uid: owner.uid, gid: owner.gid, name };
    }
  }
  const found = candidates.map((name) => users.find((user) => user.name === name)).find((user) => user !== undefined);
  // PostgreSQL's initdb looks its user up, so any free number won't do.
  if (found === undefined) throw new EmbeddedError("no_plain_user", { tried: candidates.join(", ") });
  return found;
}

/** The first folder on the way to `path`, itself included, that this user may not pass; undefined when there is none. */
export function blockedFor({ uid, gid }: RunAs, path: string): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : blockedFor({ uid, gid, name: "" }, parent);
  if (above !== undefined) return above;
  const stat = statSync(path);
  const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
  return (stat.mode & bit) === 0 ? path : undefined;
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

function readUsers(): readonly RunAs[] {
  let passwd = "";
  try {
    passwd = readFileSync("/etc/passwd", "utf8");
  } catch {
    // No user database at all: nobody found, and the caller says so.
  }
  return passwd.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
