import { assertNever } from "../../base/result.ts";
import type { Captured } from "../../catalog/captured.ts";

/**
 * Whether it uses a row of something as a whole. The catalog can't tell that from `count(*)`; the server's own text can:
 * there a star behind a dot is always a whole row, since every other star is spelled out.
 */
export function usesWholeRow(captured: Captured): boolean {
  if (captured.kind === "function" && captured.usesRowType) return true;
  return /\.\s*\*/.test(withoutQuoted(capturedText(captured)));
}

/** A column list behind an alias, or a join by names, is matched to columns by their places once they are renamed. */
export function mayUsePlaces(captured: Captured): boolean {
  if (usesWholeRow(captured)) return true;
  const text = withoutQuoted(capturedText(captured));
  return (
    /\bUSING\s*\(/i.test(withoutRowExpressions(captured, text)) || /\bNATURAL\b/i.test(text) || ALIAS_LIST.test(text)
  );
}

/** `FROM shop.v q(x, y)`, `FROM (shop.v q(x, y) JOIN …`: a relation, its alias and a list. */
const ALIAS_LIST =
  /\b(?:FROM|JOIN|,)\s*\(*\s*(?:ONLY\s+)?[\w$"]+\.[\w$"]+\s+(?!ON\b|USING\b|WHERE\b|JOIN\b)[\w$"]+\s*\(/i;

/** The condition of a policy and the method of an index are said with the same word. */
function withoutRowExpressions(captured: Captured, text: string): string {
  return captured.kind === "index" ? "" : text;
}

function capturedText(captured: Captured): string {
  switch (captured.kind) {
    case "view":
    case "materialized_view":
    case "index":
    case "statistics":
    case "rule":
    case "trigger":
    case "check":
    case "function":
      return captured.definition;
    case "policy":
      return `${captured.using ?? ""} ${captured.check ?? ""}`;
    case "default":
      return captured.expression;
    default:
      return assertNever(captured);
  }
}

function withoutQuoted(text: string): string {
  return text.replaceAll(/'(?:[^']|'')*'/g, "''").replaceAll(/"(?:[^"]|"")*"/g, "q");
}
