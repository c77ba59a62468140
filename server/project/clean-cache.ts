import type { Stats } from "node:fs";
import { lstat, readdir, realpath, rm, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { problem } from "../core/base/problem.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import type { CacheRemoval, RemovedCache } from "../ports/project-files.ts";

const NOTHING: RemovedCache = { found: false, files: 0, bytes: 0 };

/**
 * Removes everything in the cache folder, and the folder. A link to it stays, and so does what it points to, emptied:
 * a volume that is shared goes on being one. Links inside are removed as links, never followed. Whatever another
 * process removes or adds meanwhile is no fault.
 */
export async function removeCache({ project, cacheFolder }: CacheRemoval): Promise<Result<RemovedCache>> {
  const real = await realpath(cacheFolder).catch(() => null);
  if (real === null) return ok(NOTHING);
  const danger = await dangerOf(real, project);
  if (danger !== null) return failed(problem("cache_not_ours", { folder: cacheFolder, reason: danger }));
  try {
    if (!(await lstat(real)).isDirectory()) {
      return failed(problem("cache_not_ours", { folder: cacheFolder, reason: "it isn't a folder" }));
    }
    const removed = await removeInside(real);
    if (real === resolve(cacheFolder)) await rmdir(real).catch(() => undefined);
    return ok({ found: true, ...removed });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(problem("file_unwritable", { file: cacheFolder, reason }));
  }
}

/** A cache folder that holds the project, the home or the root would take them with it: a slip in `cache_dir`. */
async function dangerOf(real: string, project: string): Promise<string | null> {
  const dear: readonly (readonly [string, string])[] = [
    [await realpath(project).catch(() => resolve(project)), "the project is in it"],
    [await realpath(homedir()).catch(() => homedir()), "the home folder is in it"],
    [process.cwd(), "this very folder is in it"],
  ];
  for (const [path, reason] of dear) {
    if (holds(real, path)) return reason;
  }
  for (const name of ["config.yaml", "config.yml", "models", ".git"]) {
    if ((await lstat(join(real, name)).catch(() => null)) !== null) return `it holds ${name}, which no cache does`;
  }
  return null;
}

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path);
}

async function removeInside(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0;
  let bytes = 0;
  // A folder that went away in between is as good as removed.
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found: Stats | null = await lstat(path).catch(() => null);
    if (found === null) continue;
    if (found.isDirectory()) {
      const inside = await removeInside(path);
      files += inside.files;
      bytes += inside.bytes;
    } else {
      files += 1;
      bytes += found.size;
    }
    await rm(path, { force: true, recursive: true, maxRetries: 3 });
  }
  return { files, bytes };
}
