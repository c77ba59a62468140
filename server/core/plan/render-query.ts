import { quoteIdentifier, type RelationName } from "../base/relation-name.ts";
import { enclosedQuery, plainQuery } from "../engine/postgres/column-list.ts";
import { type Model, THIS_MODEL } from "../model/model.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import { type ModelName, modelKey } from "../model/model-name.ts";
import { rewriteReferences } from "../sql/rewrite.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import type { Materialised, Planning } from "./planning.ts";

/** Makes the splicer that a plan is built with: the author's text, with references turned into physical names. */
export function makeSplice(parser: SqlParser) {
  const splice = (planning: Planning, model: Model, sql: string, self: RelationName | null): string =>
    rewriteReferences(parser, sql, (name) => {
      if (name.schema === THIS_MODEL.schema && name.name === THIS_MODEL.name) {
        return self === null ? null : { relation: self };
      }
      const target = referencedModel(planning, model, name);
      if (target === null) return null;
      if (target.kind.kind === "embedded" && target.query !== null) {
        return { subquery: plainQuery(splice(planning, target, target.query.expanded, null)) };
      }
      const relation = planning.decisionOf.get(target.key)?.next?.relation ?? null;
      return relation === null ? null : { relation };
    });
  return splice;
}

function referencedModel(planning: Planning, model: Model, name: ModelName): Model | null {
  const reference = model.references.find(
    (each) => each.relation.schema === name.schema && each.relation.name === name.name,
  );
  return reference?.model === undefined || reference.model === null
    ? null
    : (planning.modelOf.get(reference.model) ?? null);
}

/** The query of a version as its object is made with; cast by column where the header declares types. */
export function renderQuery(planning: Planning, own: Materialised): string {
  const { model, next } = own;
  if (model.query === null) throw new Error(`${model.key} has no query to render`);
  const query = planning.splice(model, model.query.expanded, next.relation);
  // Tables cast while they are filled; what is bound to its query must be cast within it.
  if (model.columns === null || kindCapabilities[model.kind.kind].binding !== "bound") return plainQuery(query);
  const items = next.columns.map((column) => {
    const name = quoteIdentifier(column.name);
    return `"weir_source".${name}::${column.type} AS ${name}`;
  });
  return `SELECT ${items.join(", ")}\nFROM (\n${enclosedQuery(query)}) AS "weir_source"`;
}

/** Whether a model's rows depend on its own earlier rows. */
export function readsItself(model: Model): boolean {
  return model.references.some((each) => each.model === model.key || modelKey(each.relation) === modelKey(THIS_MODEL));
}
