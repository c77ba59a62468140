import { randomBytes } from "node:crypto";
import { linkSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError } from "./embedded-error.ts";
import { makeFolder, onDisk, writeWhole } from "./own-folder.ts";
import { fateOf, type ProcessIdentity, thisProcess } from "./process-identity.ts";

/** Longest that a holder may need: initdb, a start with recovery, and the stop before them. */
const limitSeconds = 300;
/** A holder out of sight (another container) is alive while it touches its file; it does so every two seconds. */
const silenceSeconds = 15;
/** Numbers left in place behind the newest, so that a slow reader of the folder finds its number taken. */
const kept = 8;

/**
 * Does `work` while no other process does any for the same folder.
 *
 * Node has no lock that the kernel drops with its holder, and "delete the dead holder's file, make mine" lets two
 * takers delete each other's. So nothing is taken over: the lock is a row of numbered files, the highest number counts,
 * and whoever finds its holder done or dead makes the next number. link() is exclusive and the file is whole when it
 * appears, so each number has one owner; numbers are never used again.
 */
export async function withHomeLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const release = await acquire(folder);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(folder: string): Promise<() => void> {
  makeFolder(folder);
  const deadline = performance.now() + limitSeconds * 1000;
  for (;;) {
    const top = highest(folder);
    const holder = top === 0 ? undefined : holderOf(join(folder, String(top)));
    const mine = holder === undefined ? claim(folder, top + 1) : undefined;
    if (mine !== undefined) return hold(folder, mine);
    if (performance.now() > deadline) {
      throw new EmbeddedError("lock_timeout", { folder, holder: holder ?? "unknown", seconds: limitSeconds });
    }
    await sleep(15 + Math.random() * 20);
  }
}

/** Who holds this number, in words; undefined when nobody does. */
function holderOf(path: string): string | undefined {
  let identity: ProcessIdentity | null;
  try {
    identity = JSON.parse(readFileSync(path, "utf8")) as ProcessIdentity | null;
  } catch (error) {
    // Gone means that a higher number exists by now. Never half written, so unparsable is foreign or damaged.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return `${path} just went`;
    if (error instanceof SyntaxError) return silent(path) ? undefined : `unreadable ${path}`;
    throw new EmbeddedError("folder_unwritable", { path, reason: (error as Error).message });
  }
  if (identity === null) return undefined;
  const fate = fateOf(identity);
  if (fate === "dead" || (fate === "out of sight" && silent(path))) return undefined;
  return `process ${identity.pid} on ${identity.machine}`;
}

function silent(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > silenceSeconds * 1000;
  } catch {
    return false;
  }
}

function claim(folder: string, number: number): number | undefined {
  const mine = join(folder, String(number));
  const fresh = join(folder, `claim-${randomBytes(6).toString("hex")}`);
  writeWhole(fresh, JSON.stringify(thisProcess()), 0o644);
  try {
    linkSync(fresh, mine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw new EmbeddedError("folder_unwritable", { path: mine, reason: (error as Error).message });
  } finally {
    rmSync(fresh, { force: true });
  }
  if (highest(folder) === number) return number;
  // So slow that this number had been used and cleared away: it was never the lock.
  rmSync(mine, { force: true });
  return undefined;
}

function hold(folder: string, number: number): () => void {
  const mine = join(folder, String(number));
  for (const name of readdirSync(folder)) {
    const old = Number(name);
    if (old <= number - kept || (Number.isNaN(old) && silent(join(folder, name)))) {
      rmSync(join(folder, name), { force: true });
    }
  }
  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(mine, now, now);
    } catch {
      // The home was removed; the work itself will say so.
    }
  }, 2000);
  beat.unref();
  return () => {
    clearInterval(beat);
    try {
      writeWhole(mine, "null", 0o644);
    } catch {
      // Then this process's end frees it; an error here would hide the one that matters.
    }
  };
}

function highest(folder: string): number {
  const numbers = onDisk(folder, () => readdirSync(folder))
    .map(Number)
    .filter(Number.isInteger);
  return Math.max(0, ...numbers);
}
