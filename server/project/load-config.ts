import { basename, dirname, join, resolve } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { type Problem, problem } from "../core/base/problem.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import type { SourceFile } from "../core/base/source-file.ts";
import type { ProjectRequest } from "../ports/project-source.ts";
import { type EnvironmentVariables, readOverrides } from "./environment-overrides.ts";
import { isFile, isFolder, listNames, readText } from "./files.ts";
import { type Config, readConfig } from "./read-config.ts";
import { readYaml } from "./read-yaml.ts";
import { renderConfig } from "./render-config.ts";
import { mergeSettings } from "./setting.ts";
import type { ConfigFindings } from "./setting-reader.ts";

export const CONFIG_NAMES = ["config.yaml", "config.yml", "sqlmesh.yaml", "sqlmesh.yml"];

export interface LoadedConfig {
  readonly config: Config;
  readonly files: readonly SourceFile[];
}

/** Finds and reads the configuration: file, templates, dotenv, overrides from the environment. */
export async function loadConfig(
  request: ProjectRequest,
  processEnvironment: EnvironmentVariables,
): Promise<Result<LoadedConfig>> {
  const folder = resolve(request.folder);
  if (!(await isFolder(folder))) return failed(problem("project_missing", { folder: request.folder }));
  const dotenv = await loadDotenv(folder, request.dotenv, processEnvironment);
  if (!dotenv.ok) return dotenv;
  const environment = { ...processEnvironment, ...dotenv.value };
  const file = await findConfigFile(folder, request.folder);
  if (!file.ok) return file;
  const { path, text } = file.value;
  const rendered = renderConfig(text, environment);
  if (!rendered.ok)
    return failed(problem("config_invalid", { reason: rendered.reason }, { path, line: rendered.line, column: null }));
  const yaml = readYaml(path, rendered.text, rendered.values);
  if (!yaml.ok) return yaml;
  const root = yaml.value;
  if (root.kind !== "map") {
    return failed(problem("config_invalid", { reason: "The configuration must be keys and values." }, root.place));
  }
  const findings: ConfigFindings = { problems: [], warnings: [] };
  const merged = mergeSettings(root, readOverrides(environment));
  const config = readConfig(merged, { folder, gateway: request.gateway, environment }, findings);
  if (config === null) return failed(...findings.problems);
  return ok({ config, files: [file.value] });
}

async function findConfigFile(folder: string, shown: string): Promise<Result<SourceFile>> {
  const names = await listNames(folder);
  const found = CONFIG_NAMES.filter((name) => names.includes(name));
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    const reason = `There are several configurations in one folder: ${found.join(", ")}. Keep one of them.`;
    return failed(problem("config_invalid", { reason }, { path: second, line: null, column: null }));
  }
  if (names.includes("dbt_project.yml") && first === undefined) {
    return failed(
      problem(
        "model_unsupported",
        { what: "A dbt project", instead: "Weir reads SQLMesh's format." },
        { path: "dbt_project.yml", line: null, column: null },
      ),
    );
  }
  if (first === undefined) {
    if (!names.includes("config.py")) return failed(problem("config_missing", { folder: shown }));
    const reason = "config.py isn't read: nothing of a project is executed while loading it. Write a config.yaml.";
    return failed(problem("config_invalid", { reason }, { path: "config.py", line: null, column: null }));
  }
  const reading = await readText(folder, first);
  return reading.ok ? ok(reading.file) : failed(reading.problem);
}

/** `.env` of the project, or the file that was named instead; its values win over the process', as in SQLMesh. */
async function loadDotenv(
  folder: string,
  named: string | null,
  environment: EnvironmentVariables,
): Promise<Result<EnvironmentVariables>> {
  const chosen = named ?? environment.SQLMESH_DOTENV_PATH ?? null;
  const path = chosen === null ? join(folder, ".env") : resolve(chosen);
  const reading = await readText(dirname(path), basename(path));
  if (reading.ok) return ok(parseDotenv(reading.file.text));
  if (chosen === null && !(await isFile(path))) return ok({});
  const problems: readonly Problem[] = [
    { ...reading.problem, place: { path: chosen ?? ".env", line: null, column: null } },
  ];
  return failed(...problems);
}
