import type { RelationName } from "../base/relation-name.ts";
import type { CatalogIndex } from "../catalog/catalog.ts";
import { indexName } from "../engine/postgres/index-name.ts";
import { authoredIndexName } from "../engine/postgres/run-statement.ts";
import type { Model } from "../model/model.ts";

/** `indexes` of the physical properties: each text is what follows CREATE INDEX ON t. Each once, as written. */
export function declaredIndexes(model: Model): readonly string[] {
  const value = model.physicalProperties.indexes;
  const texts = typeof value === "object" ? value : typeof value === "string" ? [value] : [];
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
}

/** The names that a model's indexes have on one of its versions, those of its statements included. */
export function ownIndexNames(model: Model, relation: RelationName): ReadonlySet<string> {
  const authored = [...model.preStatements, ...model.postStatements].flatMap((statement) => {
    const name = authoredIndexName(statement.expanded, relation);
    return name === null ? [] : [name];
  });
  return new Set([...declaredIndexes(model).map((text) => indexName(relation, text)), ...authored]);
}

/** Indexes that somebody made by hand on a version: a new version doesn't get them. */
export function handmadeIndexes(
  model: Model,
  relation: RelationName,
  present: readonly CatalogIndex[],
): readonly CatalogIndex[] {
  const own = ownIndexNames(model, relation);
  return present.filter((index) => !own.has(index.name));
}
