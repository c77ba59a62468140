import { hashJson, hashText } from "../../server/core/base/hash.ts";
import { problemLine } from "../../server/core/base/problem-sentence.ts";
import { buildProject, type SeedPart } from "../../server/core/model/build-project.ts";
import type { ModelDefaults } from "../../server/core/model/model-defaults.ts";
import type { Project } from "../../server/core/model/project.ts";
import { type ReadModel, readModel } from "../../server/core/model/read-model.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { plainNaming } from "./model.ts";

const defaults: ModelDefaults = {
  dialect: "postgres",
  kind: null,
  owner: null,
  cron: null,
  start: "2024-01-01",
  enabled: true,
  physicalProperties: {},
  virtualProperties: {},
  labels: {},
};

/** A project from the texts of its files, by path; seeds have the rows that their files' texts stand for, or none. */
export function projectOf(parser: SqlParser, files: ReadonlyMap<string, string>, name = "shop"): Project {
  const models = [...files]
    .filter(([path]) => path.endsWith(".sql"))
    .flatMap(([path, text]): readonly ReadModel[] => {
      const reading = readModel({ path, text }, { parser, database: null, defaults });
      if (reading.problems.length > 0) throw new Error(reading.problems.map(problemLine).join("\n"));
      return reading.model === null ? [] : [reading.model];
    });
  const seeds = new Map(models.flatMap((model) => seedOf(model, files)));
  const source = hashJson([...files].map(([path, text]) => [path, text]).sort());
  const built = buildProject({
    name,
    gateway: "pg",
    naming: plainNaming,
    source,
    models,
    externals: [],
    seeds,
    warnings: [],
  });
  if (!built.ok) throw new Error(built.problems.map(problemLine).join("\n"));
  return built.value;
}

function seedOf(model: ReadModel, files: ReadonlyMap<string, string>): readonly (readonly [string, SeedPart])[] {
  if (model.kind.kind !== "seed") return [];
  const file = model.kind.seed.path.replace(/^(\.\.\/)+|^\$root\//, "");
  const text = files.get(file) ?? "";
  const columns = model.columns ?? [];
  const rows = Math.max(0, text.trim().split("\n").length - 1);
  const source = { path: file, content: hashText(text), columns: columns.map((column) => column.name), rows };
  return [[model.key, { source, columns }]];
}
