import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { type RelationName, relationKey } from "../core/base/relation-name.ts";
import { type Model, THIS_MODEL } from "../core/model/model.ts";
import { kindCapabilities } from "../core/model/model-kind.ts";
import type { ModelKey, ModelName } from "../core/model/model-name.ts";
import { rewriteReferences } from "../core/sql/rewrite.ts";
import type { SqlParser } from "../core/sql/sql-parser.ts";
import { planEnvironment } from "./plan-environment.ts";
import type { ProjectPlace, Services } from "./services.ts";

export interface RenderedModel {
  readonly model: ModelKey;
  readonly environment: string;
  /** Where it stands, or would stand after a plan; null for models without an object of their own. */
  readonly relation: string | null;
  readonly sql: string;
}

/**
 * A model's query over the physical names that a plan of the environment, made now, would give it. Nothing is kept.
 * @throws AppError `model_unknown`, `model_without_query`, and whatever planning ends with.
 */
export async function renderModel(
  services: Services,
  request: { readonly place: ProjectPlace; readonly environment: string | null; readonly model: string },
): Promise<RenderedModel> {
  const { place, environment } = request;
  const { plan, loaded } = await planEnvironment(services, {
    place,
    environment,
    options: { allowDestructive: [], accept: [], replaceProject: false },
    author: "render",
    save: false,
  });
  const models = new Map(loaded.project.models.map((each) => [each.key, each]));
  const model = models.get(request.model) ?? models.get(request.model.toLowerCase());
  if (model === undefined) {
    throw new AppError(problem("model_unknown", { model: request.model, similar: similar(request.model, models) }));
  }
  if (model.query === null) {
    const kind = kindCapabilities[model.kind.kind].label;
    throw new AppError(problem("model_without_query", { model: model.key, kind }));
  }
  const relations = new Map(plan.effects.promotion.map((each) => [each.model, each.relation]));
  const relation = relations.get(model.key) ?? null;
  return {
    model: model.key,
    environment: plan.effects.target.environment,
    relation: relation === null ? null : relationKey(relation),
    sql: render(services.parser, model, models, relations),
  };
}

function render(
  parser: SqlParser,
  model: Model,
  models: ReadonlyMap<ModelKey, Model>,
  relations: ReadonlyMap<ModelKey, RelationName | null>,
): string {
  if (model.query === null) return "";
  return rewriteReferences(parser, model.query.expanded, (name) => {
    if (name.schema === THIS_MODEL.schema && name.name === THIS_MODEL.name) {
      const self = relations.get(model.key) ?? null;
      return self === null ? null : { relation: self };
    }
    const target = models.get(referencedKey(model, name) ?? "");
    if (target === undefined) return null;
    if (target.kind.kind === "embedded") return { subquery: render(parser, target, models, relations) };
    const relation = relations.get(target.key) ?? null;
    return relation === null ? null : { relation };
  });
}

function referencedKey(model: Model, name: ModelName): ModelKey | null {
  const found = model.references.find(({ relation }) => relation.schema === name.schema && relation.name === name.name);
  return found?.model ?? null;
}

/** Names that end like what was asked for, or hold it: what people leave out is the schema. */
function similar(asked: string, models: ReadonlyMap<ModelKey, Model>): readonly string[] {
  const word = asked.toLowerCase().split(".").at(-1) ?? "";
  const near = [...models.keys()].filter((key) => word !== "" && (key.split(".").at(-1) ?? "").includes(word));
  return near.slice(0, 3);
}
