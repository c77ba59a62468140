import { quoteRelation } from "../../../core/base/relation-name.ts";
import { assertNever } from "../../../core/base/result.ts";
import type { Captured } from "../../../core/catalog/captured.ts";
import type { SqlParser, SyntaxNode } from "../../../core/sql/sql-parser.ts";

/** The tree of the text that an object is made from; null where it can't be read. */
export function parseCaptured(parser: SqlParser, captured: Captured): SyntaxNode | null {
  const outcome = parser.parse(statementFor(captured));
  return outcome.ok && outcome.statements.length === 1 ? (outcome.statements[0]?.node ?? null) : null;
}

/** Nothing that would make the object: a statement that holds its text, for reading alone. */
function statementFor(captured: Captured): string {
  switch (captured.kind) {
    case "policy":
      return `SELECT ${captured.using ?? "true"}, ${captured.check ?? "true"}`;
    case "default":
      return `SELECT ${captured.expression}`;
    case "check":
      return `ALTER TABLE ${quoteRelation(captured.on)} ADD ${captured.definition}`;
    case "view":
    case "materialized_view":
    case "index":
    case "statistics":
    case "rule":
    case "trigger":
    case "function":
      return captured.definition;
    default:
      return assertNever(captured);
  }
}
