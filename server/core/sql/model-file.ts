import type { Findings, SourceFile } from "../base/source-file.ts";
import { isComment, lexSql, type Token } from "./lexer.ts";

/** A model file cut into its parts: comment, header, statements. Nothing in it is understood yet. */
export interface ModelFile {
  readonly file: SourceFile;
  /** The comment right before the header; a model's description unless the header has one. */
  readonly comment: string | null;
  readonly header: HeaderPart;
  readonly statements: readonly StatementPart[];
  /** Inline `AUDIT (…); SELECT …;`, as written. */
  readonly audits: readonly StatementPart[];
}

/** What stands between the parentheses of `MODEL (…)`. */
export interface HeaderPart {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

/** One statement without its semicolon; never empty. `tokens` are without comments. */
export interface StatementPart {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

/** Null where the file holds no model: it is empty, or so broken that nothing more can be said; the reason is in `findings`. */
export function splitModelFile(file: SourceFile, findings: Findings): ModelFile | null {
  const { tokens, fault } = lexSql(file.text);
  const jinja = reportJinja(file, tokens, findings);
  if (fault !== null && !jinja) findings.fault("syntax_error", { message: fault.message }, fault.offset);
  if (fault !== null || jinja) return null;
  const words = tokens.filter((token) => !isComment(token));
  const first = words[0];
  if (first === undefined) return null;
  const open = words[1];
  if (!isWord(file, first, "model") || open === undefined || textOf(file, open) !== "(") {
    findings.invalid(
      "This file has no header. A model file begins with one, for example: MODEL (name sales.orders, kind VIEW);",
      first.start,
    );
    return null;
  }
  const close = closingIndex(file, words, 1);
  if (close === -1) {
    findings.invalid("The header is never closed: the ) of MODEL (…) is missing.", open.start);
    return null;
  }
  const end = words[close];
  const after = words[close + 1];
  if (end === undefined) return null;
  if (after !== undefined && textOf(file, after) !== ";") {
    findings.invalid("There must be a ; between MODEL (…) and what follows.", after.start);
  }
  const parts = splitStatements(file, words.slice(close + 1));
  const header = { start: open.end, end: end.start, tokens: words.slice(2, close) };
  return { file, comment: commentBefore(file, tokens, first), header, ...sortParts(file, parts, findings) };
}

export function textOf(file: SourceFile, token: Token): string {
  return file.text.slice(token.start, token.end);
}

export function isWord(file: SourceFile, token: Token | undefined, word: string): boolean {
  return token !== undefined && token.kind === "word" && textOf(file, token).toLowerCase() === word;
}

/** Index of the parenthesis that closes the one at `open`; -1 where none does. Brackets count as parentheses. */
export function closingIndex(file: SourceFile, tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.kind !== "punctuation") continue;
    const text = textOf(file, token);
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function splitStatements(file: SourceFile, tokens: readonly Token[]): readonly StatementPart[] {
  const parts: StatementPart[] = [];
  let held: Token[] = [];
  let depth = 0;
  const close = (): void => {
    const [first, last] = [held[0], held.at(-1)];
    if (first !== undefined && last !== undefined) parts.push({ start: first.start, end: last.end, tokens: held });
    held = [];
    depth = 0;
  };
  for (const token of tokens) {
    const text = token.kind === "punctuation" ? textOf(file, token) : "";
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    // CREATE RULE … DO (a; b) is the one place where a semicolon may stand inside parentheses.
    if (text === ";" && depth <= 0) close();
    else held.push(token);
  }
  close();
  return parts;
}

function sortParts(
  file: SourceFile,
  parts: readonly StatementPart[],
  findings: Findings,
): { readonly statements: readonly StatementPart[]; readonly audits: readonly StatementPart[] } {
  const statements: StatementPart[] = [];
  const audits: StatementPart[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) continue;
    const [first, second] = part.tokens;
    const opens = second !== undefined && textOf(file, second) === "(";
    if (isWord(file, first, "model") && opens) {
      findings.invalid("A file holds one model; this is a second MODEL (…). Give it a file of its own.", part.start);
      return { statements, audits };
    }
    if (isWord(file, first, "on_virtual_update_begin")) {
      findings.unsupported(
        "ON_VIRTUAL_UPDATE",
        "Take the block out; grants and comments on views can be made by hand.",
        part.start,
      );
      while (at < parts.length && !isWord(file, parts[at]?.tokens[0], "on_virtual_update_end")) at += 1;
    } else if (isWord(file, first, "audit") && opens) {
      const query = parts[at + 1];
      at += 1;
      if (query === undefined)
        findings.invalid("This AUDIT (…) has no query. A SELECT of the wrong rows must follow it.", part.start);
      else audits.push({ start: part.start, end: query.end, tokens: [...part.tokens, ...query.tokens] });
    } else {
      statements.push(part);
    }
  }
  return { statements, audits };
}

/** Jinja may hold anything, so it is looked for first: quotes in it would otherwise look never closed. */
function reportJinja(file: SourceFile, tokens: readonly Token[], findings: Findings): boolean {
  const found = tokens.find(
    (token) =>
      (token.kind === "word" && /^jinja_(query|statement)_begin$/i.test(textOf(file, token))) ||
      (token.kind === "other" && /^\{[{%#]/.test(file.text.slice(token.start, token.start + 2))),
  );
  if (found === undefined) return false;
  findings.unsupported("Jinja in a model", "Write out the SQL that it makes.", found.start);
  return true;
}

/** Line comments in a row, or one block comment, that end right before the header. */
function commentBefore(file: SourceFile, tokens: readonly Token[], header: Token): string | null {
  const lines: string[] = [];
  for (let at = tokens.indexOf(header) - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === "block_comment") {
      if (lines.length === 0) lines.push(blockText(textOf(file, token)));
      break;
    }
    lines.unshift(textOf(file, token).slice(2).trim());
  }
  const text = lines.join("\n").trim();
  return text === "" ? null : text;
}

/** Without the comment's marks, and without the stars that some write at the beginning of each line. */
function blockText(comment: string): string {
  const lines = comment.slice(2, -2).split(/\r?\n/);
  return lines
    .map((line) => line.replace(/^\s*\*+ ?/, "").trim())
    .join("\n")
    .trim();
}
