import { assertNever } from "../base/result.ts";
import type { CapturedView } from "../catalog/captured.ts";
import type { CatalogRelation } from "../catalog/catalog.ts";
import { commentStatements } from "../engine/postgres/comment.ts";
import { restoreRootStatements } from "../engine/postgres/restore/restore-root.ts";
import {
  createVirtualViewStatements,
  dropVirtualViewStatements,
  putBackVirtualViewStatements,
  replaceVirtualViewStatements,
} from "../engine/postgres/virtual-view.ts";
import type { Guard, Statement } from "./action.ts";
import { changedComments, declaredComments } from "./comment-actions.ts";
import type { Decision } from "./decision.ts";
import { draftAction } from "./draft-action.ts";
import type { RootOutcome } from "./ladder/climb.ts";
import { restoreContext } from "./ladder/ladder-actions.ts";
import { type DraftAction, type Materialised, objectOf, type Planning, sameRelation } from "./planning.ts";
import type { VirtualChange } from "./virtual-change.ts";

/** The name in the environment, within the promotion's transaction. What can't be done without a loss isn't done: it blocks. */
export function virtualActions(
  planning: Planning,
  own: Materialised,
  change: VirtualChange,
  outcome: RootOutcome | null,
): readonly DraftAction[] {
  const { decision, model, next } = own;
  const { timeouts } = planning;
  const { view, current, columns, options, obstacles } = change;
  const served = columns.map((column) => column.name);
  const rendered = { view, served, options, physical: next.relation };
  const base = { stage: "promotion", layer: "virtual", target: objectOf(view, "view") } as const;
  const comments = commentStatements(
    { relation: view, type: "VIEW", served: false },
    declaredComments(model, columns),
    timeouts,
  );
  switch (change.manner) {
    case "stay":
    case "not_ours":
      return [];
    case "create": {
      const statements = [...createVirtualViewStatements(rendered, timeouts), ...comments];
      const guards: readonly Guard[] = [{ kind: "absent", relation: view }];
      return [draftAction(decision, { ...base, kind: "create_virtual_view", strategy: "create", statements, guards })];
    }
    case "replace": {
      const strategy = sameRelation(own.previous?.relation, next.relation) ? "replace" : "repoint";
      const statements = replaceVirtualViewStatements(rendered, timeouts);
      const guards = unchanged(current);
      return [
        draftAction(decision, {
          ...base,
          kind: "replace_virtual_view",
          strategy,
          statements,
          guards,
          downtime: "brief-lock",
        }),
      ];
    }
    case "climb":
    case "recreate": {
      if (change.manner === "climb" && (outcome === null || outcome.blocked || outcome.captured === null)) return [];
      const captured = outcome?.captured ?? null;
      const drop = dropVirtualViewStatements(view, timeouts);
      const carried = captured === null ? comments : carryOver(planning, own, change, captured);
      const back = [...putBackVirtualViewStatements(rendered, timeouts), ...carried];
      // What the ladder captured it compares itself, under the locks that it has taken by then.
      const guards: readonly Guard[] =
        current === null || captured !== null
          ? []
          : [{ kind: "bare", relation: view, owner: current.owner, fingerprint: current.fingerprint }];
      const common = { ...base, strategy: "recreate", whyNotLower: obstacles, downtime: "brief-lock" } as const;
      // A column that changes its type under the view must find the view gone.
      if ((decision.alter?.retyped.length ?? 0) > 0) {
        return [
          draftAction(decision, { ...common, kind: "drop_virtual_view", statements: drop, guards }),
          draftAction(decision, { ...common, kind: "create_virtual_view", statements: back, step: "put_back" }),
        ];
      }
      return [
        draftAction(decision, { ...common, kind: "recreate_virtual_view", statements: [...drop, ...back], guards }),
      ];
    }
    default:
      return assertNever(change.manner);
  }
}

export function dropViewActions(
  planning: Planning,
  decision: Decision,
  view: CatalogRelation,
  outcome: RootOutcome | null,
): readonly DraftAction[] {
  return [
    draftAction(decision, {
      kind: "drop_virtual_view",
      stage: "promotion",
      layer: "virtual",
      target: objectOf(view.name, "view"),
      strategy: "drop",
      statements: dropVirtualViewStatements(view.name, planning.timeouts),
      guards: outcome === null ? unchanged(view) : [],
      downtime: "none",
      step: "drops",
    }),
  ];
}

/** All that the old view carried, and the project's own descriptions where they are new or have changed. */
function carryOver(
  planning: Planning,
  { decision, model }: Materialised,
  { columns, current }: VirtualChange,
  captured: CapturedView,
): readonly Statement[] {
  if (current === null) return [];
  const names = columns.map((column) => column.name);
  const known = new Set(captured.columns.map((column) => column.name));
  const changed = changedComments(decision.previousSnapshot?.model ?? null, model, current);
  const said = new Map(changed.columns);
  const old: CapturedView = {
    ...captured,
    comment: changed.relation === undefined ? captured.comment : null,
    columns: captured.columns.map((column) => (said.has(column.name) ? { ...column, comment: null } : column)),
  };
  const declared = declaredComments(model, columns);
  const texts = {
    relation: changed.relation ?? undefined,
    columns: [
      ...changed.columns.filter(([name, text]) => text !== null && names.includes(name)),
      ...declared.columns.filter(([name]) => !known.has(name)),
    ],
  };
  const target = { relation: captured.relation, type: "VIEW", served: false } as const;
  return [
    ...restoreRootStatements(old, names, restoreContext(planning)),
    ...commentStatements(target, texts, planning.timeouts),
  ];
}

function unchanged(relation: CatalogRelation | null): readonly Guard[] {
  return relation === null ? [] : [{ kind: "unchanged", relation: relation.name, fingerprint: relation.fingerprint }];
}
