import {
  addColumnsStatements,
  dropColumnsStatements,
  type LockedFirst,
  lockViewStatements,
  retypeColumnsStatements,
} from "../engine/postgres/alter-table.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";
import type { Guard } from "./action.ts";
import { draftAction } from "./draft-action.ts";
import { catalogRelation, type DraftAction, type Materialised, objectOf, type Planning } from "./planning.ts";
import type { VirtualChange } from "./virtual-change.ts";

/**
 * A forward-only change of a table's columns, in the promotion's transaction: new columns before the views that will
 * show them, dropped and retyped ones after the views that showed them.
 */
export function alterActions(
  planning: Planning,
  own: Materialised,
  change: VirtualChange | null,
  blocked: boolean,
): readonly DraftAction[] {
  const { decision, next } = own;
  const { alter } = decision;
  if (alter === null || decision.create || next.borrowed) return [];
  const { timeouts } = planning;
  const present = catalogRelation(planning, next.relation);
  const guards: readonly Guard[] =
    present === null ? [] : [{ kind: "unchanged", relation: next.relation, fingerprint: present.fingerprint }];
  const base = {
    kind: "alter_table",
    stage: "promotion",
    layer: "physical",
    target: objectOf(next.relation, "table"),
    guards,
    downtime: "brief-lock",
  } as const;
  const added = addColumnsStatements(next.relation, alter.added, timeouts);
  const removed = dropColumnsStatements(
    next.relation,
    alter.removed.map((column) => column.name),
    timeouts,
  );
  const retyped = retypeColumnsStatements(next.relation, retypedColumns(alter.retyped, next.columns), timeouts);
  const first = lockedFirst(change);
  return [
    ...(added.length === 0
      ? []
      : [
          draftAction(decision, {
            ...base,
            statements: [...(first === null ? [] : lockViewStatements(first, timeouts)), ...added],
            step: "add_columns",
          }),
        ]),
    // Columns can only go once the name has let go of them.
    ...(removed.length + retyped.length === 0 || blocked || change?.manner === "not_ours"
      ? []
      : [
          draftAction(decision, {
            ...base,
            guards: added.length === 0 ? guards : [],
            statements: [...retyped, ...removed],
            reversible: false,
            downtime: retyped.length === 0 ? "brief-lock" : "rebuild",
            step: "drop_columns",
          }),
        ]),
  ];
}

function retypedColumns(
  retyped: readonly { readonly name: string }[],
  next: readonly OutputColumn[],
): readonly OutputColumn[] {
  return retyped.flatMap(({ name }) => next.filter((column) => column.name === name));
}

function lockedFirst(change: VirtualChange | null): LockedFirst | null {
  return change?.current?.kind === "view" ? { view: change.view, owner: change.current.owner } : null;
}
