import type { CatalogRelation } from "../catalog/catalog.ts";
import { type Comments, commentStatements } from "../engine/postgres/comment.ts";
import type { Model } from "../model/model.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";
import { draftAction } from "./draft-action.ts";
import { catalogRelation, type DraftAction, type Materialised, objectOf, type Planning } from "./planning.ts";
import { relationType, sqlType } from "./relation-type.ts";

/** What a fresh object is given: descriptions that there are, of columns that there are. */
export function declaredComments(model: Model, columns: readonly OutputColumn[]): Comments {
  const { description, columnDescriptions } = model.metadata;
  const described = columns.flatMap((column): readonly (readonly [string, string])[] => {
    const text = columnDescriptions[column.name];
    return text === undefined ? [] : [[column.name, text]];
  });
  return { relation: description ?? undefined, columns: described };
}

/** Every text of the project's on a model, to tell our comments from other people's. */
export function ownComments(...models: readonly (Model | null | undefined)[]): ReadonlySet<string> {
  return new Set(
    models.flatMap((model) => {
      if (model === null || model === undefined) return [];
      const { description, columnDescriptions } = model.metadata;
      return [...(description === null ? [] : [description]), ...Object.values(columnDescriptions)];
    }),
  );
}

/** COMMENT on what stays as it is, only where the text in the catalog isn't the project's yet. */
export function commentActions(planning: Planning, own: Materialised, viewStays: boolean): readonly DraftAction[] {
  const { decision, model, next } = own;
  const before = decision.previousSnapshot?.model ?? null;
  const physical = decision.create || next.borrowed ? null : catalogRelation(planning, next.relation);
  const view = viewStays ? catalogRelation(planning, next.view) : null;
  const physicalType = sqlType(kindCapabilities[model.kind.kind].relation ?? "view");
  const actions: DraftAction[] = [];
  const add = (
    relation: CatalogRelation,
    layer: "physical" | "virtual",
    type: "VIEW" | "MATERIALIZED VIEW" | "TABLE",
  ) => {
    const comments = changedComments(before, model, relation);
    const statements = commentStatements({ relation: relation.name, type, served: true }, comments, planning.timeouts);
    if (statements.length === 0) return;
    const target = objectOf(relation.name, layer === "virtual" ? "view" : relationType(model.kind.kind));
    const stage = "promotion";
    actions.push(
      draftAction(decision, {
        kind: "comment",
        stage,
        layer,
        target,
        statements,
        strategy: "metadata",
        step: "comments",
      }),
    );
  };
  if (physical !== null) add(physical, "physical", physicalType);
  if (view !== null) add(view, "virtual", "VIEW");
  return actions;
}

/** A description that is gone takes away only the comment it once set; what others wrote stays. */
export function changedComments(before: Model | null, after: Model, present: CatalogRelation): Comments {
  const was = before?.metadata;
  const now = after.metadata;
  const relation = changedText(was?.description ?? null, now.description, present.comment);
  const columns = present.columns.flatMap((column): readonly (readonly [string, string | null])[] => {
    const old = was?.columnDescriptions[column.name] ?? null;
    const text = changedText(old, now.columnDescriptions[column.name] ?? null, column.comment);
    return text === undefined ? [] : [[column.name, text]];
  });
  return { relation, columns };
}

function changedText(was: string | null, now: string | null, present: string | null): string | null | undefined {
  if (was === now || now === present) return undefined;
  if (now === null) return present === was ? null : undefined;
  return now;
}
