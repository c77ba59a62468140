import type { SyntaxNode, SyntaxValue } from "./sql-parser.ts";
import { isList } from "./syntax.ts";

/**
 * Whether a statement asks the server to take dependents along: DROP, ALTER … DROP, TRUNCATE or REVOKE with CASCADE.
 * Read from the parse tree, so that literals, `WITH CASCADED CHECK OPTION` and foreign keys' actions are other things.
 * A DO block hides its statements in text; there the word itself counts, unless it belongs to a foreign key.
 */
export function asksForCascade(statement: SyntaxNode): boolean {
  const open: SyntaxValue[] = [statement];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isList(value)) {
      for (const item of value) if (typeof item === "object" && item !== null) open.push(item);
      continue;
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [field, member] of Object.entries(value)) {
      if (field === "behavior" && member === "DROP_CASCADE") return true;
      if (field === "DoStmt" && hidesCascade(member)) return true;
      if (typeof member === "object" && member !== null) open.push(member);
    }
  }
  return false;
}

function hidesCascade(block: SyntaxValue): boolean {
  const text = JSON.stringify(block ?? null).replaceAll(/\bon\s+(?:delete|update)\s+cascade\b/gi, "");
  return /\bcascade\b/i.test(text);
}
