import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { problem } from "../core/base/problem.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import type { CreatedProject } from "../ports/project-files.ts";
import { CONFIG_NAMES } from "./load-config.ts";
import { newProjectFiles } from "./new-project-files.ts";

/** A file that many folders have already: it is left as it is. */
const optional = new Set([".gitignore"]);

/** Two configurations in one folder are a fault. */
const otherConfigs = CONFIG_NAMES.filter((name) => name !== "config.yaml");

/** Writes the files of a new project, or none of them. Never overwrites: `wx` refuses what came in between, too. */
export async function createProject(folder: string): Promise<Result<CreatedProject>> {
  const there = newProjectFiles.filter(({ path }) => existsSync(join(folder, path)));
  const inTheWay = there.filter(({ path }) => !optional.has(path)).map(({ path }) => path);
  inTheWay.push(...otherConfigs.filter((name) => existsSync(join(folder, name))));
  if (inTheWay.length > 0) return failed(problem("files_in_the_way", { folder, files: inTheWay }));
  const files = newProjectFiles.filter((file) => !there.includes(file));
  for (const { path, text } of files) {
    const file = join(folder, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text.replace("PROJECT_NAME", projectName(folder)), { flag: "wx" });
    } catch (error) {
      return failed(problem("file_unwritable", { file, reason: reasonOf(error) }));
    }
  }
  const models = files.filter(({ path }) => path.startsWith("models/")).length;
  return ok({ folder, files: files.map(({ path }) => path), models });
}

/** Of the folder's name what YAML needs no quotes for. */
function projectName(folder: string): string {
  const word = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .replaceAll(/^[_0-9]+|_+$/g, "");
  return word === "" ? "river" : word;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
