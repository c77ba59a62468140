import { resolve } from "node:path";
import { hashJson, hashText } from "../core/base/hash.ts";
import { type Problem, problem } from "../core/base/problem.ts";
import { compareText } from "../core/base/relation-name.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import type { SourceFile } from "../core/base/source-file.ts";
import { buildProject } from "../core/model/build-project.ts";
import type { ExternalModel } from "../core/model/external-model.ts";
import { type ReadModel, readModel } from "../core/model/read-model.ts";
import type { SqlParser } from "../core/sql/sql-parser.ts";
import type { LoadedProject, ProjectRequest, ProjectSource } from "../ports/project-source.ts";
import { findCacheFolder } from "./cache.ts";
import type { EnvironmentVariables } from "./environment-overrides.ts";
import { listFiles, listNames, readText } from "./files.ts";
import { isIgnored } from "./ignore-patterns.ts";
import { loadConfig } from "./load-config.ts";
import { loadSeeds } from "./load-seeds.ts";
import type { Config } from "./read-config.ts";
import { readExternalModels } from "./read-external-models.ts";

export interface ProjectSourceOptions {
  readonly parser: SqlParser;
  /** Like `process.env`; the only environment that is read. */
  readonly environment: EnvironmentVariables;
}

/** Projects in folders of this machine. Nothing in them is executed, and nothing but the file system is read. */
export function createProjectSource({ parser, environment }: ProjectSourceOptions): ProjectSource {
  return {
    load: (request) => loadProject(request, parser, environment),
    readSettings: async (request) => {
      const loaded = await loadConfig(request, environment);
      return loaded.ok ? ok(loaded.value.config.settings) : loaded;
    },
    findCacheFolder: (request) => findCacheFolder(request, environment),
  };
}

async function loadProject(
  request: ProjectRequest,
  parser: SqlParser,
  environment: EnvironmentVariables,
): Promise<Result<LoadedProject>> {
  const loaded = await loadConfig(request, environment);
  const root = resolve(request.folder);
  // A broken configuration leaves nothing to check models against: database, defaults and patterns are unknown.
  if (!loaded.ok) return loaded;
  const { config } = loaded.value;
  const problems: Problem[] = [];
  const warnings: string[] = [...config.settings.warnings];
  const files = await readProjectFiles(root, config, problems);
  const models = readModels(files.models, config, parser, problems, warnings);
  const externals = readExternals(files.externals, config, problems, warnings);
  const seeds = await loadSeeds(root, models);
  problems.push(...seeds.problems);
  warnings.push(...seeds.warnings);
  if (files.models.length === 0) warnings.push("models: There are no model files in this project.");
  const { settings } = config;
  const texts = [...loaded.value.files, ...files.models, ...files.externals].map(
    ({ path, text }) => [path, hashText(text)] as const,
  );
  const hashed = [...texts, ...seeds.files.map(({ path, content }) => [path, content] as const)].sort((a, b) =>
    compareText(a[0], b[0]),
  );
  const project = buildProject({
    name: settings.name,
    gateway: settings.gateway.name,
    naming: settings.naming,
    source: hashJson(hashed),
    models,
    externals,
    seeds: seeds.parts,
    warnings,
  });
  if (problems.length > 0 || !project.ok)
    return failed(...inOrder([...problems, ...(project.ok ? [] : project.problems)]));
  return ok({ project: project.value, settings, seeds: seeds.rows });
}

interface ProjectFiles {
  readonly models: readonly SourceFile[];
  readonly externals: readonly SourceFile[];
}

async function readProjectFiles(root: string, config: Config, problems: Problem[]): Promise<ProjectFiles> {
  const wanted = async (folder: string): Promise<readonly string[]> =>
    (await listFiles(root, folder, problems)).filter((path) => !isIgnored(path, config.ignorePatterns));
  const inModels = await wanted("models");
  for (const path of inModels.filter((each) => each.endsWith(".py") && !each.endsWith("__init__.py"))) {
    const what = { what: "A Python model", instead: "Write it in SQL, or add its path to ignore_patterns." };
    problems.push(problem("model_unsupported", what, { path, line: null, column: null }));
  }
  const single = await listTopLevel(root);
  const listed = (await wanted("external_models")).filter((path) => /\.ya?ml$/.test(path));
  return {
    models: await readAll(
      root,
      inModels.filter((path) => path.endsWith(".sql")),
      problems,
    ),
    externals: await readAll(root, [...single, ...listed], problems),
  };
}

/** `schema.yaml` is SQLMesh's old name for the same file. */
async function listTopLevel(root: string): Promise<readonly string[]> {
  const names = await listNames(root);
  const found = ["external_models.yaml", "external_models.yml"].filter((name) => names.includes(name));
  return found.length === 0 && names.includes("schema.yaml") ? ["schema.yaml"] : found;
}

/** A few files at a time: waiting for each in turn costs most of a second for two thousand. The order is kept. */
async function readAll(root: string, paths: readonly string[], problems: Problem[]): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const readings = await Promise.all(paths.slice(at, at + FILES_AT_ONCE).map((path) => readText(root, path)));
    for (const reading of readings) {
      if (reading.ok) files.push(reading.file);
      else problems.push(reading.problem);
    }
  }
  return files;
}

const FILES_AT_ONCE = 32;

function readModels(
  files: readonly SourceFile[],
  config: Config,
  parser: SqlParser,
  problems: Problem[],
  warnings: string[],
): readonly ReadModel[] {
  const context = { parser, database: config.settings.gateway.connection.database, defaults: config.modelDefaults };
  return files.flatMap((file) => {
    const reading = readModel(file, context);
    problems.push(...reading.problems);
    warnings.push(...reading.warnings);
    return reading.model === null ? [] : [reading.model];
  });
}

function readExternals(
  files: readonly SourceFile[],
  config: Config,
  problems: Problem[],
  warnings: string[],
): readonly ExternalModel[] {
  const findings = { problems, warnings };
  return files.flatMap((file) => readExternalModels(file, config.settings.gateway.connection.database, findings));
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const position = (each: Problem): readonly [string, number, number] => [
    each.place?.path ?? "",
    each.place?.line ?? 0,
    each.place?.column ?? 0,
  ];
  return [...problems].sort((a, b) => {
    const [pathA, lineA, columnA] = position(a);
    const [pathB, lineB, columnB] = position(b);
    return compareText(pathA, pathB) || lineA - lineB || columnA - columnB;
  });
}
