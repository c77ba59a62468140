import { quoteIdentifier, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { indexName } from "./index-name.ts";
import { longStatement, type Timeouts } from "./statement.ts";

/** `text` is what follows CREATE INDEX ON t: `(id)`, `UNIQUE (id)`, `USING gin (tags)`, `(ds) INCLUDE (amount) WHERE …`. */
export function createIndexStatements(
  relation: RelationName,
  text: string,
  served: boolean,
  timeouts: Timeouts,
): readonly Statement[] {
  const { unique, rest } = splitIndex(text);
  const head = `CREATE ${unique ? "UNIQUE " : ""}INDEX ${quoteIdentifier(indexName(relation, text))}`;
  // SHARE: readers go on, writers wait; and the only writer of a version is us.
  return [longStatement(`${head} ON ${quoteRelation(relation)} ${rest}`, served ? "SHARE" : null, timeouts)];
}

export function splitIndex(text: string): { readonly unique: boolean; readonly rest: string } {
  const trimmed = text.trim();
  const match = /^unique\b/i.exec(trimmed);
  return match === null
    ? { unique: false, rest: trimmed }
    : { unique: true, rest: trimmed.slice(match[0].length).trim() };
}
