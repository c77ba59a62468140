import type { Action, ActionKind } from "../plan/action.ts";
import { obstacleText } from "../plan/ladder/obstacle-text.ts";
import { objectName } from "./object-text.ts";
import type { ActionView } from "./plan-view.ts";

const verbs: Readonly<Record<ActionKind, (action: Action) => string>> = {
  set_up_internal: () => "set up schema",
  create_schema: () => "create schema",
  create_view: () => "create view",
  create_materialized_view: () => "create materialized view",
  create_table: () => "create table",
  fill_table: () => "fill table",
  load_seed: () => "load seed into table",
  refresh_materialized_view: () => "refresh materialized view",
  create_index: (action) => `create index on ${action.target.type}`,
  drop_index: (action) => `drop index of ${action.target.type}`,
  analyze: (action) => `analyze ${action.target.type}`,
  set_storage: (action) => `set storage of ${action.target.type}`,
  set_access: (action) => `set owner and grants of ${action.target.type}`,
  comment: (action) => `comment on ${action.target.type}`,
  run_statement: () => "run the model's statement for",
  alter_table: () => "alter table",
  create_virtual_view: (action) => (action.strategy === "recreate" ? "put back view" : "create view"),
  replace_virtual_view: (action) => (action.strategy === "repoint" ? "point view elsewhere:" : "replace view"),
  recreate_virtual_view: () => "drop and create view",
  rebind_virtual_view: () => "make anew and keep its readers: view",
  drop_virtual_view: () => "drop view",
  hold_objects: () => "lock",
  check_objects: () => "check",
  drop_object: (action) => `drop ${action.target.type}`,
  recreate_object: (action) => `bring back ${action.target.type}`,
  rebind_object: (action) => `point to the new view: ${action.target.type}`,
  drop_aside_view: () => "drop old view",
  drop_version: (action) => `drop old version ${action.target.type}`,
};

export function describeAction(action: Action): ActionView {
  const { id, kind, stage, layer, target, model, because, strategy, hazards, downtime, reversible } = action;
  return {
    id,
    kind,
    title: `${verbs[kind](action)} ${objectName(target)}`,
    stage,
    layer,
    target,
    model,
    because,
    strategy,
    whyNotLower: action.whyNotLower.map(obstacleText),
    statements: action.statements.map(({ sql, lock, lockTimeoutMs, statementTimeoutMs }) => ({
      sql,
      lock,
      lockTimeoutMs,
      statementTimeoutMs,
    })),
    hazards,
    downtime,
    reversible,
  };
}
