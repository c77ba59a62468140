import { quoteIdentifier, quoteLiteral, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { columnList } from "./column-list.ts";
import { buildStatement, servedStatement, type Timeouts } from "./statement.ts";

export interface VirtualView {
  readonly view: RelationName;
  /** In the order that readers see. */
  readonly served: readonly string[];
  /** reloptions, `key=value`: all of them, since OR REPLACE clears those that aren't repeated. */
  readonly options: readonly string[];
  readonly physical: RelationName;
}

const LOCK = "ACCESS EXCLUSIVE";

/** The name isn't there yet, so there is nobody to keep waiting. */
export function createVirtualViewStatements(view: VirtualView, timeouts: Timeouts): readonly Statement[] {
  return [buildStatement(`CREATE VIEW ${definition(view)}`, timeouts)];
}

/** Keeps OID, owner, grants, comments, rules, triggers and everything that depends on it. */
export function replaceVirtualViewStatements(view: VirtualView, timeouts: Timeouts): readonly Statement[] {
  return [servedStatement(`CREATE OR REPLACE VIEW ${definition(view)}`, LOCK, timeouts)];
}

/** RESTRICT: a dependent that appeared a second ago makes the server refuse, and the whole promotion rolls back. */
export function dropVirtualViewStatements(view: RelationName, timeouts: Timeouts): readonly Statement[] {
  return [servedStatement(`DROP VIEW ${quoteRelation(view)} RESTRICT`, LOCK, timeouts)];
}

/** The name was dropped in this very transaction, so its lock is still ours. */
export function putBackVirtualViewStatements(view: VirtualView, timeouts: Timeouts): readonly Statement[] {
  return [servedStatement(`CREATE VIEW ${definition(view)}`, LOCK, timeouts)];
}

function definition(view: VirtualView): string {
  const columns = columnList(view.served);
  const options = view.options.length === 0 ? "" : ` WITH (${view.options.map(option).join(", ")})`;
  return `${quoteRelation(view.view)} (${columns})${options} AS\nSELECT ${columns}\nFROM ${quoteRelation(view.physical)}`;
}

function option(text: string): string {
  const equals = text.indexOf("=");
  return equals < 0
    ? quoteIdentifier(text)
    : `${quoteIdentifier(text.slice(0, equals))} = ${quoteLiteral(text.slice(equals + 1))}`;
}
