import type { Hash } from "../base/hash.ts";
import { type Problem, placeText, problem } from "../base/problem.ts";
import { failed, ok, type Result } from "../base/result.ts";
import { placeAt } from "../base/source-file.ts";
import { buildDag } from "../dag/build-dag.ts";
import type { Dag } from "../dag/dag.ts";
import { topologicalOrder } from "../dag/topological-order.ts";
import { type ExternalModel, toModel } from "./external-model.ts";
import type { DeclaredColumn, Model, Reference } from "./model.ts";
import { kindCapabilities, type ModelKind, type SeedSource } from "./model-kind.ts";
import { compareModels, type ModelKey, modelKey } from "./model-name.ts";
import type { NamingRules, Project } from "./project.ts";
import type { ReadModel } from "./read-model.ts";

/** Everything that the shell has read from a project's folder. */
export interface ProjectParts {
  readonly name: string;
  readonly gateway: string;
  readonly naming: NamingRules;
  readonly source: Hash;
  readonly models: readonly ReadModel[];
  readonly externals: readonly ExternalModel[];
  /** Of each SEED model whose file could be read. */
  readonly seeds: ReadonlyMap<ModelKey, SeedPart>;
  readonly warnings: readonly string[];
}

export interface SeedPart {
  readonly source: SeedSource;
  /** As declared, or as the rows suggest. */
  readonly columns: readonly DeclaredColumn[];
}

/**
 * Puts models together: looks up what each reads, refuses duplicate names and loops. A name that no model answers to
 * stays a reference to a relation outside; whether it was one of the project's before is for the plan to say.
 * The order of the parts makes no difference.
 */
export function buildProject(parts: ProjectParts): Result<Project> {
  const read = [...parts.models].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const problems: Problem[] = [];
  const owners = new Map<ModelKey, ReadModel>();
  for (const model of read) {
    const owner = owners.get(model.key);
    if (owner === undefined) owners.set(model.key, model);
    else
      problems.push(
        problem("model_duplicate", { model: model.key, other: owner.path }, placeAt(model.file, model.nameAt)),
      );
  }
  const externals = chooseExternals(parts, owners, problems);
  const known = new Set<ModelKey>([...owners.keys(), ...externals.keys()]);
  const models: Model[] = [...externals.values()].map(toModel);
  for (const model of owners.values()) {
    const references = model.references.map((each): Reference => {
      const key = modelKey(each.relation);
      return { ...each, model: known.has(key) ? key : null };
    });
    const finished = finishModel(model, references, parts.seeds);
    if (finished !== null) models.push(finished);
  }
  models.sort(compareModels);
  const dag = buildDag(new Map(models.map((model) => [model.key, readsOf(model)])));
  problems.push(...findLoops(models, dag));
  if (problems.length > 0) return failed(...problems);
  return ok({
    name: parts.name,
    gateway: parts.gateway,
    models,
    dag,
    naming: parts.naming,
    source: parts.source,
    warnings: [...parts.warnings],
  });
}

/** An entry for this gateway counts before one for all; of two alike the second is a fault. */
function chooseExternals(
  parts: ProjectParts,
  owners: ReadonlyMap<ModelKey, ReadModel>,
  problems: Problem[],
): ReadonlyMap<ModelKey, ExternalModel> {
  const chosen = new Map<ModelKey, ExternalModel>();
  for (const external of parts.externals) {
    if (external.gateway !== null && external.gateway !== parts.gateway) continue;
    const owner = owners.get(external.key);
    const other = chosen.get(external.key);
    if (owner !== undefined) {
      problems.push(problem("model_duplicate", { model: external.key, other: owner.path }, external.place));
    } else if (other !== undefined && (other.gateway === null) === (external.gateway === null)) {
      problems.push(problem("model_duplicate", { model: external.key, other: placeText(other.place) }, external.place));
    } else if (other === undefined || external.gateway !== null) {
      chosen.set(external.key, external);
    }
  }
  return chosen;
}

/** Null for a seed whose file couldn't be read: its fault is reported already. */
function finishModel(
  model: ReadModel,
  references: readonly Reference[],
  seeds: ReadonlyMap<ModelKey, SeedPart>,
): Model | null {
  const { file: _file, nameAt: _nameAt, kind: declared, ...rest } = model;
  if (declared.kind !== "seed") return { ...rest, kind: declared, references };
  const seed = seeds.get(model.key);
  if (seed === undefined) return null;
  const kind: ModelKind = { kind: "seed", seed: seed.source };
  return { ...rest, kind, columns: seed.columns, references };
}

function readsOf(model: Model): readonly ModelKey[] {
  return model.references.flatMap((each) => (each.model === null ? [] : [each.model]));
}

/** Every loop once. Loops that share a model are reported one at a time, since breaking one may break the other. */
function findLoops(models: readonly Model[], dag: Dag<ModelKey>): readonly Problem[] {
  const problems: Problem[] = [];
  const byKey = new Map(models.map((model) => [model.key, model]));
  const left = new Map(dag.parents);
  for (let sorted = topologicalOrder(dag); !sorted.ok; sorted = topologicalOrder(buildDag(left))) {
    const [first, second] = sorted.cycle;
    const model = first === undefined ? undefined : byKey.get(first);
    const reference = model?.references.find((each) => each.model === second);
    const place = reference?.place ?? null;
    if (model !== undefined && first === second && kindCapabilities[model.kind.kind].binding === "stored") {
      problems.push(
        problem(
          "model_unsupported",
          { what: `A model that reads itself (${model.key})`, instead: "Take the reference out." },
          place,
        ),
      );
    } else {
      problems.push(problem("dag_cycle", { path: sorted.cycle }, place));
    }
    for (const key of sorted.cycle) left.delete(key);
  }
  return problems;
}
