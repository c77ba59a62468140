import { hashJson, hashText } from "../../server/core/base/hash.ts";
import type { Problem } from "../../server/core/base/problem.ts";
import { problemLine } from "../../server/core/base/problem-sentence.ts";
import { failed, type Result } from "../../server/core/base/result.ts";
import { buildProject, type SeedPart } from "../../server/core/model/build-project.ts";
import type { ExternalModel } from "../../server/core/model/external-model.ts";
import type { DeclaredColumn, Model } from "../../server/core/model/model.ts";
import type { ModelDefaults } from "../../server/core/model/model-defaults.ts";
import { type ModelName, modelKey } from "../../server/core/model/model-name.ts";
import type { NamingRules, Project } from "../../server/core/model/project.ts";
import { type ReadModel, readModel } from "../../server/core/model/read-model.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";

export interface ProjectText {
  /** File texts by path: `{ "models/a.sql": "MODEL (name s.a); SELECT 1 AS id" }`. */
  readonly models: { readonly [path: string]: string };
  /** Rows of SEED models by key, instead of files; column types as in the model's header, else text. */
  readonly seeds?: { readonly [key: string]: SeedRowsText };
  readonly externals?: readonly {
    readonly schema: string | null;
    readonly name: string;
    readonly columns?: readonly DeclaredColumn[];
  }[];
  readonly name?: string;
  readonly gateway?: string;
  readonly database?: string;
  readonly defaults?: Partial<ModelDefaults>;
  readonly naming?: Partial<NamingRules>;
}

export interface SeedRowsText {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const plainDefaults: ModelDefaults = {
  dialect: "postgres",
  kind: null,
  owner: null,
  cron: null,
  start: null,
  enabled: true,
  physicalProperties: {},
  virtualProperties: {},
  labels: {},
};

export const plainNaming: NamingRules = {
  physicalSchemas: [],
  physicalTable: "schema_and_table",
  suffixTarget: "schema",
};

/** A project read from texts by the real parser. Throws with every fault when there is one. */
export async function aProject(text: ProjectText): Promise<Project> {
  const project = readProjectText(await loadSqlParser(), text);
  if (!project.ok) throw new Error(project.problems.map(problemLine).join("\n"));
  return project.value;
}

/** One model of a project of its own: `aModel("MODEL (name s.a, kind FULL); SELECT 1 AS id")`. */
export async function aModel(text: string, rest: Omit<ProjectText, "models"> = {}): Promise<Model> {
  const project = await aProject({ ...rest, models: { "models/model.sql": text } });
  const model = project.models.find((each) => each.path === "models/model.sql");
  if (model === undefined) throw new Error("the text holds no model");
  return model;
}

/** The same without throwing and, given a parser, at once. */
export function readProjectText(parser: SqlParser, text: ProjectText): Result<Project> {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const models: ReadModel[] = [];
  const context = { parser, database: text.database ?? "warehouse", defaults: { ...plainDefaults, ...text.defaults } };
  for (const [path, content] of Object.entries(text.models)) {
    const reading = readModel({ path, text: content }, context);
    problems.push(...reading.problems);
    warnings.push(...reading.warnings);
    if (reading.model !== null) models.push(reading.model);
  }
  const project = buildProject({
    name: text.name ?? "",
    gateway: text.gateway ?? "pg",
    naming: { ...plainNaming, ...text.naming },
    source: hashText(JSON.stringify(text)),
    models,
    externals: (text.externals ?? []).map(externalOf),
    seeds: new Map(models.flatMap((model) => seedOf(model, text.seeds ?? {}))),
    warnings,
  });
  if (problems.length === 0) return project;
  return failed(...problems, ...(project.ok ? [] : project.problems));
}

function externalOf(entry: ModelName & { readonly columns?: readonly DeclaredColumn[] }): ExternalModel {
  const name = { schema: entry.schema, name: entry.name };
  const place = { path: "external_models.yaml", line: 1, column: 1 };
  return {
    key: modelKey(name),
    name,
    place,
    columns: entry.columns ?? null,
    description: null,
    start: null,
    gateway: null,
  };
}

function seedOf(
  model: ReadModel,
  seeds: { readonly [key: string]: SeedRowsText },
): readonly (readonly [string, SeedPart])[] {
  if (model.kind.kind !== "seed") return [];
  const { columns, rows } = seeds[model.key] ?? { columns: ["id"], rows: [["1"]] };
  const source = {
    path: `seeds/${model.name.name}.csv`,
    content: hashJson({ columns, rows }),
    columns,
    rows: rows.length,
  };
  return [[model.key, { source, columns: model.columns ?? columns.map((name) => ({ name, type: "text" })) }]];
}

/** Every message about one model file `m.sql`, one a line; `-` for a good model, nothing for a file that holds none. */
export function modelMessages(parser: SqlParser, text: string): string {
  const reading = readModel({ path: "m.sql", text }, { parser, database: "wh", defaults: plainDefaults });
  const lines = [...reading.problems.map(problemLine), ...reading.warnings.map((each) => `warning ${each}`)];
  if (lines.length > 0) return lines.join("\n");
  return reading.model === null ? "" : "-";
}
