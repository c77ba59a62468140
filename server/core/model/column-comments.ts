import { byteOffsets } from "../sql/byte-offset.ts";
import { isComment, lexSql, type Token } from "../sql/lexer.ts";
import type { SyntaxNode, SyntaxValue } from "../sql/sql-parser.ts";
import { listAt, locationOf, nodeAt, stringOf, textAt } from "../sql/syntax.ts";

/**
 * Comments behind the columns of a query, on the same line, by column: SQLMesh takes them for descriptions.
 * Of a set operation the first query counts, since it names the columns.
 */
export function findColumnComments(sql: string, query: SyntaxNode): { readonly [column: string]: string } {
  const tokens = lexSql(sql).tokens;
  if (!tokens.some(isComment)) return {};
  const targets = listAt(firstSelect(nodeAt(query, "SelectStmt") ?? {}), "targetList").map((each) =>
    nodeAt(each, "ResTarget"),
  );
  const indexOf = byteOffsets(sql);
  const descriptions: Record<string, string> = {};
  for (const [at, target] of targets.entries()) {
    const name = target === null ? null : outputName(target);
    if (target === null || name === null || locationOf(target) < 0) continue;
    const next = targets[at + 1];
    const start = indexOf(locationOf(target));
    const end = next === null || next === undefined ? endOfTargets(sql, tokens, start) : indexOf(locationOf(next));
    const comment = commentOnLine(
      sql,
      tokens.filter((token) => token.start >= start && token.start < end),
    );
    if (comment !== null) descriptions[name] = comment;
  }
  return descriptions;
}

function firstSelect(select: SyntaxNode): SyntaxNode {
  let first = select;
  for (let left = nodeAt(first, "larg"); left !== null; left = nodeAt(first, "larg")) first = left;
  return first;
}

/** The name that the server gives the column, where it follows from the alias or from a plain column. */
function outputName(target: SyntaxNode): string | null {
  const alias = textAt(target, "name");
  if (alias !== null) return alias;
  let value: SyntaxValue = target.val;
  for (let cast = nodeAt(value, "TypeCast"); cast !== null; cast = nodeAt(value, "TypeCast")) value = cast.arg;
  return stringOf(listAt(nodeAt(value, "ColumnRef"), "fields").at(-1));
}

const ENDS_TARGETS = /^(from|where|group|having|window|union|intersect|except|order|limit|offset|fetch|for|into)$/i;

function endOfTargets(sql: string, tokens: readonly Token[], start: number): number {
  let depth = 0;
  let before = "";
  for (const token of tokens) {
    if (token.start < start || isComment(token)) continue;
    const text = sql.slice(token.start, token.end);
    if ("([".includes(text)) depth += 1;
    if (")]".includes(text)) depth -= 1;
    if (depth < 0) return token.start;
    // IS DISTINCT FROM is no FROM clause.
    if (depth === 0 && token.kind === "word" && ENDS_TARGETS.test(text) && !/^distinct$/i.test(before))
      return token.start;
    before = text;
  }
  return sql.length;
}

/** The comments that begin on the line where the column's own text ends. */
function commentOnLine(sql: string, tokens: readonly Token[]): string | null {
  const last = tokens.findLast((token) => !isComment(token));
  if (last === undefined) return null;
  const end = tokens.findLast((token) => !isComment(token) && sql.slice(token.start, token.end) !== ",") ?? last;
  const texts = tokens
    .filter((token) => isComment(token) && token.start >= end.end && !sql.slice(end.end, token.start).includes("\n"))
    .map((token) => sql.slice(token.start, token.end))
    .map((text) => (text.startsWith("--") ? text.slice(2) : text.slice(2, -2)).trim());
  const text = texts.join(" ").trim();
  return text === "" ? null : text;
}
