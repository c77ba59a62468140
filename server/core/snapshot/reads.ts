import { compareText } from "../base/relation-name.ts";
import type { Model } from "../model/model.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { ModelKey, ModelName } from "../model/model-name.ts";

/** What a model's query reads once its EMBEDDED parents stand in it. The model itself is never among them. Sorted. */
export interface ModelReads {
  /** Models with a physical object. */
  readonly managed: readonly ModelKey[];
  /** EMBEDDED models inlined into it, directly or through one another. */
  readonly embedded: readonly ModelKey[];
  /** EXTERNAL models, and whether anything that stands in the query reads them with `*`. */
  readonly external: readonly { readonly model: ModelKey; readonly star: boolean }[];
  /** Relations that no model answers to. */
  readonly outside: readonly ModelName[];
}

export function findReads(model: Model, models: ReadonlyMap<ModelKey, Model>): ModelReads {
  const managed = new Set<ModelKey>();
  const embedded = new Set<ModelKey>();
  const external = new Map<ModelKey, boolean>();
  const outside = new Map<string, ModelName>();
  const open = [model];
  for (let reader = open.pop(); reader !== undefined; reader = open.pop()) {
    for (const reference of reader.references) {
      const parent = reference.model === null ? undefined : models.get(reference.model);
      if (parent === undefined) {
        outside.set(JSON.stringify([reference.relation.schema, reference.relation.name]), reference.relation);
      } else if (parent.key === model.key) {
      } else if (parent.kind.kind === "external") {
        external.set(parent.key, reference.star || external.get(parent.key) === true);
      } else if (kindCapabilities[parent.kind.kind].relation !== null) {
        managed.add(parent.key);
      } else if (!embedded.has(parent.key)) {
        embedded.add(parent.key);
        open.push(parent);
      }
    }
  }
  return {
    managed: [...managed].sort(compareText),
    embedded: [...embedded].sort(compareText),
    external: [...external].map(([key, star]) => ({ model: key, star })).sort((a, b) => compareText(a.model, b.model)),
    outside: [...outside].sort(([a], [b]) => compareText(a, b)).map(([, relation]) => relation),
  };
}
