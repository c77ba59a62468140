import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { major } from "./cluster-folder.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { diskFault } from "./own-folder.ts";
import { findPackage, packageVersion } from "./platform-package.ts";
import { unfinished } from "./remove-leftovers.ts";
import type { RunAs } from "./run-as.ts";
import { runProgram } from "./run-program.ts";

export interface Binaries {
  /** The folder with initdb, pg_ctl and postgres. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/**
 * The programs, in a place where the user who is to run them can.
 *
 * In place when that works. It doesn't when root's code lies in a closed home, or when npm, pnpm or an administrator kept
 * the package's install script from making its library links. Then from a copy, made once, inside our home: the data
 * there must be reachable anyway, nobody else can plant programs there (as in a shared temp folder), and no cleaner
 * takes libraries away from under a running server.
 */
export async function runnableBinaries(root: string, runAs: RunAs | undefined): Promise<Binaries> {
  const copy = join(root, `binaries-${packageVersion}`);
  if (existsSync(copy) && (await fault(copy, runAs)) === undefined) return inFolder(copy);
  const original = findPackage();
  const wrong = await fault(original, runAs);
  if (wrong === undefined) return inFolder(original);
  await copyPackage(original, copy);
  const detail = await fault(copy, runAs);
  if (detail !== undefined) throw new EmbeddedError("binaries_broken", { program: inFolder(copy).postgres, detail });
  return inFolder(copy);
}

function inFolder(packageFolder: string): Binaries {
  const folder = join(packageFolder, "native", "bin");
  const program = (name: string): string => join(folder, process.platform === "win32" ? `${name}.exe` : name);
  return { folder, initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

async function fault(packageFolder: string, runAs: RunAs | undefined): Promise<string | undefined> {
  for (const program of [inFolder(packageFolder).postgres, inFolder(packageFolder).initdb]) {
    const { code, output } = await runProgram({ program, args: ["--version"], runAs, limitSeconds: 20 });
    if (code !== 0) return output.trim() || `${program} ended with code ${code}`;
    if (!output.includes(` ${major}.`)) return `${program} is ${output.trim()}, not PostgreSQL ${major}`;
  }
  return undefined;
}

async function copyPackage(original: string, copy: string): Promise<void> {
  const fresh = `${copy}${unfinished}${randomBytes(4).toString("hex")}`;
  try {
    await copyTree(join(original, "native"), join(fresh, "native"));
    await makeLinks(fresh);
    await rm(copy, { recursive: true, force: true });
    await rename(fresh, copy);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw diskFault(copy, error);
  }
}

/** Rights are set, not copied: under a strict umask npm installs files that only root can read. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(dirname(to), 0o755);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== "include" && entry.name !== "pkgconfig") await copyTree(source, target);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else if (!entry.name.endsWith(".a")) {
      await copyFile(source, target);
      const runs = to.endsWith(`${sep}bin`) || ((await stat(source)).mode & 0o100) !== 0;
      await chmod(target, runs ? 0o755 : 0o644);
    }
  }
}

/** What the package's install script does: npm packages can't hold links, so it lists them. */
async function makeLinks(copy: string): Promise<void> {
  const list = join(copy, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = resolve(copy, target);
    if (!link.startsWith(copy + sep) || existsSync(link) || !existsSync(resolve(copy, source))) continue;
    await symlink(relative(dirname(link), resolve(copy, source)), link);
  }
}
