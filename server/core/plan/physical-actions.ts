import { assertNever } from "../base/result.ts";
import type { CatalogRelation } from "../catalog/catalog.ts";
import { analyzeStatements } from "../engine/postgres/analyze.ts";
import { columnDefinition } from "../engine/postgres/column-list.ts";
import { commentStatements } from "../engine/postgres/comment.ts";
import { createIndexStatements } from "../engine/postgres/create-index.ts";
import { createMaterializedViewStatements } from "../engine/postgres/create-materialized-view.ts";
import { createTableStatements } from "../engine/postgres/create-table.ts";
import { createViewStatements } from "../engine/postgres/create-view.ts";
import {
  fillTableStatements,
  refillTableStatements,
  replacePartitionsStatements,
} from "../engine/postgres/fill-table.ts";
import { loadSeedStatements } from "../engine/postgres/load-seed.ts";
import { type RefreshManner, refreshMaterializedViewStatements } from "../engine/postgres/refresh-materialized-view.ts";
import { authoredIndexName, runStatementStatements } from "../engine/postgres/run-statement.ts";
import { storageSettings } from "../engine/postgres/storage-settings.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import { accessActions } from "./access-actions.ts";
import type { Action, ActionStage } from "./action.ts";
import { declaredComments } from "./comment-actions.ts";
import { declaredIndexes } from "./declared-indexes.ts";
import { draftAction } from "./draft-action.ts";
import { catalogRelation, type DraftAction, type Materialised, objectOf, type Planning } from "./planning.ts";
import { relationType } from "./relation-type.ts";
import { readsItself, renderQuery } from "./render-query.ts";

/**
 * What is done to the object behind a name: made where it is missing, filled where its rows aren't the query's.
 * All of it before the promotion and under a name that nobody reads, but for refills of a version that is served now.
 */
export function physicalActions(planning: Planning, own: Materialised): readonly DraftAction[] {
  if (own.next.borrowed && !own.decision.create) return [];
  const { create, fill } = own.decision;
  const served = servedNow(own);
  const stage: ActionStage = fill === "none" ? "create" : served ? "fill_after" : "fill";
  const again = !create && (fill !== "none" || isUnfinished(own));
  return [
    ...(create ? [...authored(planning, own, "pre", "create"), createAction(planning, own)] : []),
    ...accessActions(planning, own),
    ...(again ? authored(planning, own, "pre", stage) : []),
    ...(fill === "none" ? [] : fillActions(planning, own, stage, served)),
    ...(create ? indexActions(planning, own) : []),
    ...(create || again ? authored(planning, own, "post", stage) : []),
    ...(fill === "none" || kindCapabilities[own.model.kind.kind].fill === "none"
      ? []
      : [analyzeAction(planning, own, stage)]),
  ];
}

/** Made by a run that never got to say that all of its statements were done; without rows, they are all there is to do. */
function isUnfinished({ next, decision }: Materialised): boolean {
  return decision.outcome !== "keep" && next.known?.filled === false;
}

/** Readers come through the virtual view to this very object, today. */
export function servedNow(own: Materialised): boolean {
  const { previous, next, decision } = own;
  if (decision.create || previous?.relation === null || previous?.relation === undefined) return false;
  return previous.relation.schema === next.relation.schema && previous.relation.name === next.relation.name;
}

function physical(own: Materialised): Pick<Action, "layer" | "target"> {
  return { layer: "physical", target: objectOf(own.next.relation, relationType(own.model.kind.kind)) };
}

function createAction(planning: Planning, own: Materialised): DraftAction {
  const { decision, model, next } = own;
  const { timeouts } = planning;
  const { relation, columns } = next;
  const settings = storageSettings(model.physicalProperties);
  const base = { ...physical(own), stage: "create", guards: [{ kind: "absent", relation }] } as const;
  const made = kindCapabilities[model.kind.kind].relation;
  const comments = (type: "VIEW" | "MATERIALIZED VIEW" | "TABLE") =>
    commentStatements({ relation, type, served: false }, declaredComments(model, columns), timeouts);
  switch (made) {
    case "view": {
      const names = columns.map((column) => column.name);
      const query = renderQuery(planning, own);
      const create = createViewStatements({ relation, columns: names, query, settings }, timeouts);
      return draftAction(decision, { ...base, kind: "create_view", statements: [...create, ...comments("VIEW")] });
    }
    case "materialized_view": {
      const names = columns.map((column) => column.name);
      const query = renderQuery(planning, own);
      const create = createMaterializedViewStatements({ relation, columns: names, query, settings }, timeouts);
      const statements = [...create, ...comments("MATERIALIZED VIEW")];
      return draftAction(decision, { ...base, kind: "create_materialized_view", statements });
    }
    case "table": {
      const create = createTableStatements({ relation, columns, settings }, timeouts);
      return draftAction(decision, { ...base, kind: "create_table", statements: [...create, ...comments("TABLE")] });
    }
    case null:
      throw new Error(`${model.key} has no object of its own: ${columns.map(columnDefinition).join(", ")}`);
    default:
      return assertNever(made);
  }
}

function fillActions(
  planning: Planning,
  own: Materialised,
  stage: ActionStage,
  served: boolean,
): readonly DraftAction[] {
  const { decision, model, next } = own;
  const { timeouts } = planning;
  const { relation, columns } = next;
  const { fill } = kindCapabilities[model.kind.kind];
  const base = { ...physical(own), stage };
  // Rows of another content are gone for good once they are replaced; a first fill takes nothing away.
  const reversible = decision.fill !== "refill" || decision.create;
  // A run that died may have filled it before it could say so: then a first fill begins by taking those rows away.
  const replace = !decision.create;
  switch (fill) {
    case "none":
      return [];
    case "refresh": {
      const manner = refreshManner(own, catalogRelation(planning, relation), served);
      const statements = refreshMaterializedViewStatements(relation, manner, timeouts);
      const downtime = manner === "waiting" ? "rebuild" : "none";
      return [draftAction(decision, { ...base, kind: "refresh_materialized_view", statements, downtime, reversible })];
    }
    case "load_seed": {
      const statements = loadSeedStatements(relation, { replace, served }, timeouts);
      const artefact = model.kind.kind === "seed" ? model.kind.seed.content : null;
      return [draftAction(decision, { ...base, kind: "load_seed", statements, artefact, reversible })];
    }
    case "replace_all":
    case "replace_partitions": {
      const table = { relation, columns, query: renderQuery(planning, own), served };
      const whole = decision.fill === "build" || fill === "replace_all" || model.partitionedBy.length === 0;
      const statements = !replace
        ? fillTableStatements(table, timeouts)
        : whole
          ? refillTableStatements(table, readsItself(model), timeouts)
          : replacePartitionsStatements(table, model.partitionedBy, timeouts);
      return [draftAction(decision, { ...base, kind: "fill_table", statements, reversible })];
    }
    default:
      return assertNever(fill);
  }
}

/**
 * CONCURRENTLY needs a unique index over plain columns without a WHERE, and rows to compare with (55000 otherwise).
 */
function refreshManner(own: Materialised, present: CatalogRelation | null, served: boolean): RefreshManner {
  if (own.decision.create || present === null || !served) return "built";
  const unique = present.indexes.some(
    (index) =>
      index.unique && index.valid && !/\bWHERE\b/i.test(index.definition) && !/\([^)]*\(/.test(index.definition),
  );
  return unique && present.populated === true ? "concurrently" : "waiting";
}

function indexActions(planning: Planning, own: Materialised): readonly DraftAction[] {
  return declaredIndexes(own.model).map((text) =>
    draftAction(own.decision, {
      ...physical(own),
      kind: "create_index",
      stage: "fill",
      statements: createIndexStatements(own.next.relation, text, false, planning.timeouts),
    }),
  );
}

function analyzeAction(planning: Planning, own: Materialised, stage: ActionStage): DraftAction {
  return draftAction(own.decision, {
    ...physical(own),
    kind: "analyze",
    stage,
    statements: analyzeStatements(own.next.relation, planning.timeouts),
  });
}

/** The author's own statements before and after a version is made or written. */
function authored(
  planning: Planning,
  own: Materialised,
  when: "pre" | "post",
  stage: ActionStage,
): readonly DraftAction[] {
  const { decision, model, next } = own;
  const statements = when === "pre" ? model.preStatements : model.postStatements;
  const present = new Set(catalogRelation(planning, next.relation)?.indexes.map((index) => index.name));
  return statements.flatMap((statement) => {
    const sql = planning.splice(model, statement.expanded, next.relation);
    // An index that an earlier run has made would only be in its own way.
    if (present.has(authoredIndexName(sql, next.relation) ?? "")) return [];
    return draftAction(decision, {
      ...physical(own),
      kind: "run_statement",
      stage,
      statements: runStatementStatements(sql, next.relation, planning.timeouts),
      // Nobody can tell what a statement of the author's does; but an index goes with its version.
      reversible: authoredIndexName(sql, next.relation) !== null,
    });
  });
}
