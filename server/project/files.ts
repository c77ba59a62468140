import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { type Problem, problem } from "../core/base/problem.ts";
import type { SourceFile } from "../core/base/source-file.ts";

export type TextReading =
  | { readonly ok: true; readonly file: SourceFile }
  | { readonly ok: false; readonly problem: Problem };

/** Files of people's own writing; larger ones are data that landed in the wrong folder. */
const MAX_TEXT_BYTES = 5_000_000;

function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

/** Reads a text file of the project: UTF-8 whatever the locale is, without its byte order mark. */
export async function readText(root: string, path: string): Promise<TextReading> {
  const bytes = await readBytes(root, path, MAX_TEXT_BYTES);
  if (!bytes.ok) return bytes;
  return decodeText(path, bytes.bytes, "utf-8");
}

export async function readBytes(
  root: string,
  path: string,
  limit: number,
): Promise<{ readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly problem: Problem }> {
  try {
    const full = join(root, path);
    const { size } = await stat(full);
    if (size > limit) return unreadable(path, `it has ${megabytes(size)}, and at most ${megabytes(limit)} are read`);
    return { ok: true, bytes: await readFile(full) };
  } catch (error) {
    return unreadable(path, describeError(error));
  }
}

/** `encoding` is a WHATWG label; null characters and wrong bytes are faults with their place. */
export function decodeText(path: string, bytes: Uint8Array, encoding: string): TextReading {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    return unreadable(path, `the encoding ${encoding} isn't known`);
  }
  try {
    const text = decoder.decode(bytes);
    const nul = text.indexOf("\0");
    if (nul === -1) return { ok: true, file: { path, text } };
    return unreadable(
      path,
      "it holds NUL characters, as UTF-16 and binary files do",
      text.slice(0, nul).split("\n").length,
    );
  } catch {
    return unreadable(path, `it isn't valid ${encoding.toUpperCase()}`, firstBadLine(bytes, encoding));
  }
}

/**
 * All files under a folder, as paths relative to `root`, sorted. Symbolic links are followed, loops of them once.
 * A missing folder has no files; one that can't be read is a problem.
 */
export async function listFiles(root: string, folder: string, problems: Problem[]): Promise<readonly string[]> {
  const found: string[] = [];
  const seen = new Set<string>();
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const path = next;
    try {
      const real = await realpath(join(root, path));
      if (seen.has(real)) continue;
      seen.add(real);
      for (const entry of await readdir(real, { withFileTypes: true })) {
        const child = posix.join(path, entry.name);
        const folderToo = entry.isSymbolicLink() ? await isFolder(join(root, child)) : entry.isDirectory();
        if (folderToo) open.push(child);
        else found.push(child);
      }
    } catch (error) {
      if (!isMissing(error))
        problems.push(problem("file_unreadable", { reason: describeError(error) }, { path, line: null, column: null }));
    }
  }
  return found.sort();
}

/** Names in a folder; none where it can't be read. */
export async function listNames(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch {
    return [];
  }
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function unreadable(
  path: string,
  reason: string,
  line: number | null = null,
): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: problem("file_unreadable", { reason }, { path, line, column: null }) };
}

function firstBadLine(bytes: Uint8Array, encoding: string): number | null {
  const lenient = new TextDecoder(encoding).decode(bytes);
  const bad = lenient.indexOf("\ufffd");
  return bad === -1 ? null : lenient.slice(0, bad).split("\n").length;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Node's messages hold absolute paths; the place says which file it is. */
function describeError(error: unknown): string {
  switch (errorCode(error)) {
    case "ENOENT":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EISDIR":
      return "it is a folder";
    case "ELOOP":
      return "its symbolic links go round in a circle";
    case "ENAMETOOLONG":
      return "its name is too long";
    default:
      return errorCode(error) ?? "unknown error";
  }
}

function errorCode(error: unknown): string | null {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : null;
}
