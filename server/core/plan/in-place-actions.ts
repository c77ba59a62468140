import { createIndexStatements } from "../engine/postgres/create-index.ts";
import { dropIndexStatements } from "../engine/postgres/drop-index.ts";
import { indexName } from "../engine/postgres/index-name.ts";
import { setStorageStatements } from "../engine/postgres/set-storage.ts";
import { storageSettings } from "../engine/postgres/storage-settings.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import { declaredIndexes } from "./declared-indexes.ts";
import { draftAction } from "./draft-action.ts";
import { servedNow } from "./physical-actions.ts";
import { catalogRelation, type DraftAction, type Materialised, objectOf, type Planning } from "./planning.ts";
import { relationType, sqlType } from "./relation-type.ts";

/**
 * Brings indexes and storage settings of a version that stays in line with the model. What is there and isn't ours
 * stays: an index by hand, a setting that the project never named. What takes a lock that readers could queue behind is
 * part of the promotion, which asks for its locks again and again instead of waiting.
 */
export function inPlaceActions(planning: Planning, own: Materialised): readonly DraftAction[] {
  const { decision, model, next } = own;
  const present = catalogRelation(planning, next.relation);
  if (!decision.inPlace || decision.create || next.borrowed || present === null) return [];
  const { timeouts } = planning;
  const served = servedNow(own);
  const base = { layer: "physical", target: objectOf(next.relation, relationType(model.kind.kind)) } as const;
  const strategy = "metadata" as const;
  const found = new Set(present.indexes.map((index) => index.name));
  const wanted = declaredIndexes(model);
  const made = wanted
    .filter((text) => !found.has(indexName(next.relation, text)))
    .map((text) => {
      const statements = createIndexStatements(next.relation, text, served, timeouts);
      return draftAction(decision, { ...base, kind: "create_index", stage: "fill", statements, strategy });
    });
  const old = decision.previousSnapshot === null ? [] : declaredIndexes(decision.previousSnapshot.model);
  const dropped = old
    .filter((text) => !wanted.includes(text) && found.has(indexName(next.relation, text)))
    .map((text) => {
      const statements = dropIndexStatements(next.relation.schema, indexName(next.relation, text), timeouts);
      return draftAction(decision, {
        ...base,
        kind: "drop_index",
        stage: "promotion",
        step: "drops",
        statements,
        strategy,
        downtime: "brief-lock",
      });
    });
  return [...made, ...storageActions(planning, own, present.options), ...dropped];
}

function storageActions(planning: Planning, own: Materialised, options: readonly string[]): readonly DraftAction[] {
  const { decision, model, next } = own;
  const made = kindCapabilities[model.kind.kind].relation;
  if (made === null) return [];
  const wanted = storageSettings(model.physicalProperties).parameters;
  const before =
    decision.previousSnapshot === null
      ? []
      : storageSettings(decision.previousSnapshot.model.physicalProperties).parameters;
  const present = new Map(options.map((option) => splitOption(option)));
  const set = wanted.filter(([key, value]) => present.get(key) !== value);
  const reset = before
    .filter(([key, value]) => !wanted.some(([other]) => other === key) && present.get(key) === value)
    .map(([key]) => key);
  const statements = setStorageStatements(
    { relation: next.relation, type: sqlType(made) },
    { set, reset },
    planning.timeouts,
  );
  if (statements.length === 0) return [];
  const target = objectOf(next.relation, relationType(model.kind.kind));
  return [
    draftAction(decision, {
      kind: "set_storage",
      stage: "promotion",
      step: "comments",
      layer: "physical",
      target,
      statements,
      strategy: "metadata",
    }),
  ];
}

function splitOption(option: string): readonly [string, string] {
  const equals = option.indexOf("=");
  return equals < 0 ? [option, ""] : [option.slice(0, equals), option.slice(equals + 1)];
}
