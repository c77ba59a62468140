import { displayIdentifier, foldIdentifier, quoteIdentifier, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { plainQuery } from "./column-list.ts";
import { indexName } from "./index-name.ts";
import { longStatement, type Timeouts } from "./statement.ts";

const NAMED_INDEX =
  /^(\s*create\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?)(?!concurrently\b)("(?:[^"]|"")+"|[a-z_][\w$]*)(\s+on\s)/iu;
const CONCURRENTLY = /^\s*(?:create\s+(?:unique\s+)?index|drop\s+index|reindex\s+\w+)\s+concurrently\b/i;
const VACUUM = /^\s*vacuum\b/i;

/** An author's statement around the making of a version, with `@this_model` already put in. */
export function runStatementStatements(sql: string, relation: RelationName, timeouts: Timeouts): readonly Statement[] {
  const text = plainQuery(nameIndexPerVersion(sql, relation));
  return [{ ...longStatement(text, null, timeouts), alone: CONCURRENTLY.test(text) || VACUUM.test(text) }];
}

/** The name that an index of the author's gets on `relation`, or null where the statement makes none by name. */
export function authoredIndexName(sql: string, relation: RelationName): string | null {
  const match = NAMED_INDEX.exec(sql);
  return match?.[2] === undefined ? null : indexName(relation, unquoted(match[2]));
}

/** `CREATE INDEX IF NOT EXISTS ix ON t` does nothing on the second version, whose predecessor holds the name: so each version has its own. */
function nameIndexPerVersion(sql: string, relation: RelationName): string {
  const match = NAMED_INDEX.exec(sql);
  if (match === null) return sql;
  const name = quoteIdentifier(indexName(relation, unquoted(match[2] ?? "")));
  return `${match[1]}${name}${match[3]}${sql.slice(match[0].length)}`;
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : displayIdentifier(foldIdentifier(name));
}
