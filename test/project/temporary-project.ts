import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { problemLine } from "../../server/core/base/problem-sentence.ts";
import type { Result } from "../../server/core/base/result.ts";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";
import type { LoadedProject, ProjectSettings, ProjectSource } from "../../server/ports/project-source.ts";
import { createProjectSource } from "../../server/project/load-project.ts";

export type Files = { readonly [path: string]: string | Uint8Array };

export const plainConfig = `gateways:
  pg:
    connection:
      type: postgres
      host: localhost
      port: 5432
      user: ann
      password: secret
      database: wh
model_defaults:
  dialect: postgres
`;

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A folder with these files, gone after the test. */
export async function writeProject(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "weir-project-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

export async function source(environment: Readonly<Record<string, string>> = {}): Promise<ProjectSource> {
  return createProjectSource({ parser: await loadSqlParser(), environment });
}

export async function load(
  files: Files,
  environment: Readonly<Record<string, string>> = {},
): Promise<Result<LoadedProject>> {
  const folder = await writeProject({ "config.yaml": plainConfig, ...files });
  return (await source(environment)).load({ folder, gateway: null, dotenv: null });
}

/** The project, or an error with every fault. */
export async function loaded(files: Files, environment: Readonly<Record<string, string>> = {}): Promise<LoadedProject> {
  const result = await load(files, environment);
  if (!result.ok) throw new Error(result.problems.map(problemLine).join("\n"));
  return result.value;
}

/** Every fault, one a line; `-` where there is none. */
export async function faults(files: Files, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  return lines(await load(files, environment));
}

export function lines(result: Result<unknown>): string {
  return result.ok ? "-" : result.problems.map(problemLine).join("\n");
}

export async function settings(
  config: string,
  environment: Readonly<Record<string, string>> = {},
  gateway: string | null = null,
  files: Files = {},
): Promise<Result<ProjectSettings>> {
  const folder = await writeProject({ "config.yaml": config, ...files });
  return (await source(environment)).readSettings({ folder, gateway, dotenv: null });
}
