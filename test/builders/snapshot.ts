import { hashText } from "../../server/core/base/hash.ts";
import { compareText, foldIdentifier } from "../../server/core/base/relation-name.ts";
import { buildDag } from "../../server/core/dag/build-dag.ts";
import type { Model, ModelMetadata, Reference } from "../../server/core/model/model.ts";
import type { KindTag, ModelKind } from "../../server/core/model/model-kind.ts";
import { type ModelName, modelKey } from "../../server/core/model/model-name.ts";
import type { NamingRules, Project } from "../../server/core/model/project.ts";
import { findReferences } from "../../server/core/sql/references.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { plainNaming } from "./model.ts";

/** A model in a few words: what isn't said is the default of a plain view. `columns` as `id integer, name text`. */
export interface ModelSketch {
  readonly name: string;
  readonly kind?: KindTag | ModelKind;
  readonly query?: string;
  readonly pre?: readonly string[];
  readonly post?: readonly string[];
  readonly columns?: string;
  readonly partitionedBy?: readonly string[];
  readonly metadata?: Partial<ModelMetadata>;
  readonly physicalProperties?: Model["physicalProperties"];
  readonly virtualProperties?: Model["virtualProperties"];
  readonly dependsOn?: readonly string[];
}

export function sketchedProject(
  parser: SqlParser,
  sketches: readonly ModelSketch[],
  given: { readonly name?: string; readonly naming?: NamingRules } = {},
): Project {
  const keys = new Set(sketches.map((sketch) => modelKey(nameOf(sketch.name))));
  const models = sketches.map((sketch) => aModel(parser, sketch, keys)).sort((a, b) => compareText(a.key, b.key));
  const reads = models.map((model) => {
    const parents = model.references.flatMap((reference) => reference.model ?? []);
    return [model.key, parents.filter((parent) => parent !== model.key)] as const;
  });
  return {
    name: given.name ?? "shop",
    gateway: "pg",
    models,
    dag: buildDag(new Map(reads)),
    naming: given.naming ?? plainNaming,
    source: hashText(JSON.stringify(sketches)),
    warnings: [],
  };
}

function aModel(parser: SqlParser, sketch: ModelSketch, keys: ReadonlySet<string>): Model {
  const name = nameOf(sketch.name);
  const kind = kindOf(sketch);
  const place = { path: `models/${sketch.name}.sql`, line: 1, column: 1 };
  const hasQuery = kind.kind !== "external" && kind.kind !== "seed";
  const query = hasQuery ? (sketch.query ?? "SELECT 1 AS id") : null;
  return {
    key: modelKey(name),
    name,
    kind,
    dialect: "postgres",
    path: place.path,
    text: query ?? "",
    query: query === null ? null : { expanded: query, place },
    preStatements: (sketch.pre ?? []).map((expanded) => ({ expanded, place })),
    postStatements: (sketch.post ?? []).map((expanded) => ({ expanded, place })),
    columns: sketch.columns === undefined ? null : columnsOf(sketch.columns),
    partitionedBy: sketch.partitionedBy ?? [],
    metadata: { ...noLabels, ...sketch.metadata },
    physicalProperties: sketch.physicalProperties ?? {},
    virtualProperties: sketch.virtualProperties ?? {},
    references: query === null ? [] : referencesOf(parser, query, sketch.dependsOn ?? [], keys, place),
  };
}

export function columnsOf(text: string): readonly { readonly name: string; readonly type: string }[] {
  return text.split(/,(?![^(]*\))/).map((column) => {
    const [name = "", ...type] = column.trim().split(" ");
    return { name, type: type.join(" ") };
  });
}

const noLabels: ModelMetadata = {
  owner: null,
  description: null,
  columnDescriptions: {},
  tags: [],
  cron: null,
  cronTz: null,
  start: null,
  end: null,
  stamp: null,
  other: {},
};

function kindOf(sketch: ModelSketch): ModelKind {
  const kind = sketch.kind ?? "view";
  if (typeof kind !== "string") return kind;
  if (kind !== "seed") return { kind };
  return { kind, seed: { path: "seeds/a.csv", content: "rows", columns: ["id"], rows: 1 } };
}

/** Parts in double quotes keep their case and dots, others are folded. */
function nameOf(text: string): ModelName {
  const parts = [...text.matchAll(/"([^"]+)"|([^.]+)/g)].map(
    ([, quoted, bare]) => quoted ?? foldIdentifier(bare ?? ""),
  );
  return parts.length === 1
    ? { schema: null, name: parts[0] ?? "" }
    : { schema: parts[0] ?? null, name: parts[1] ?? "" };
}

function referencesOf(
  parser: SqlParser,
  query: string,
  dependsOn: readonly string[],
  keys: ReadonlySet<string>,
  place: Reference["place"],
): readonly Reference[] {
  const parsed = parser.parse(query);
  if (!parsed.ok) throw new Error(`${parsed.message}: ${query}`);
  const found = parsed.statements.flatMap((statement) => findReferences(statement.node));
  const all = [...found, ...dependsOn.map((text) => ({ name: nameOf(text), star: false }))];
  const byKey = new Map<string, Reference>();
  for (const { name, star } of all) {
    const key = modelKey(name);
    const earlier = byKey.get(key);
    byKey.set(key, {
      relation: name,
      model: keys.has(key) ? key : null,
      place,
      star: star || earlier?.star === true,
    });
  }
  return [...byKey.values()];
}
