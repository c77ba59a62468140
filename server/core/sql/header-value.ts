import { foldIdentifier } from "../base/relation-name.ts";
import type { Findings, SourceFile } from "../base/source-file.ts";
import { rangeOf, splitAtCommas, type TokenRange } from "./header.ts";
import type { Token } from "./lexer.ts";
import { closingIndex, textOf } from "./model-file.ts";

/** How the values in a header are read. Each returns null after reporting what is wrong, at its place. */

/** As written, for expressions. */
export function writtenText(range: TokenRange): string {
  return range.file.text.slice(range.start, range.end);
}

/** One text for all spellings that differ in white space, comments and letter case of bare words only. */
export function canonicalText(range: TokenRange): string {
  return range.tokens
    .map((token) => (token.kind === "word" ? textOf(range.file, token).toLowerCase() : textOf(range.file, token)))
    .join(" ");
}

/** A quoted text's content, or whatever else stands there, as written. */
export function readText(range: TokenRange): string {
  const [only, second] = range.tokens;
  return only !== undefined && second === undefined && only.kind === "string"
    ? stringContent(textOf(range.file, only))
    : writtenText(range);
}

export function readBoolean(range: TokenRange, property: string, findings: Findings): boolean | null {
  const text = readText(range).toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  findings.invalid(`${property} is true or false, not ${writtenText(range)}.`, range.start);
  return null;
}

/** `(a, b)`, `[a, b]` or a single `a`, as ranges. */
export function readItems(range: TokenRange): readonly TokenRange[] {
  const inner = unwrapped(range);
  if (inner === null) return [range];
  return splitAtCommas(range.file, inner.tokens).map((tokens) => rangeOf(range.file, tokens, inner.start));
}

export function readTexts(range: TokenRange): readonly string[] {
  return readItems(range).map(readText);
}

/** What stands inside the parentheses or brackets that hold the whole range; null where none do. */
export function unwrapped(range: TokenRange): TokenRange | null {
  const [first] = range.tokens;
  const last = range.tokens.length - 1;
  if (first === undefined || !"([".includes(textOf(range.file, first)) || first.kind !== "punctuation") return null;
  if (closingIndex(range.file, range.tokens, 0) !== last) return null;
  return rangeOf(range.file, range.tokens.slice(1, last), first.end);
}

export interface Assignment {
  readonly key: string;
  readonly keyAt: number;
  readonly value: TokenRange;
}

/** `(key = value, …)`; keys are bare words, quoted names or texts. */
export function readAssignments(range: TokenRange, property: string, findings: Findings): readonly Assignment[] | null {
  const inner = unwrapped(range);
  if (inner === null) {
    findings.invalid(`${property} is a list in parentheses: ${property} (key = value, …).`, range.start);
    return null;
  }
  const assignments: Assignment[] = [];
  for (const tokens of splitAtCommas(range.file, inner.tokens)) {
    const equals = tokens.findIndex((token) => ["=", ":="].includes(textOf(range.file, token)));
    const [key] = tokens;
    if (key === undefined) continue;
    if (equals < 1 || equals === tokens.length - 1) {
      findings.invalid(`${property} expects key = value here.`, key.start);
      continue;
    }
    const name = keyText(range.file, tokens.slice(0, equals));
    if (assignments.some((each) => each.key === name)) findings.invalid(`${name} is given twice.`, key.start);
    else
      assignments.push({ key: name, keyAt: key.start, value: rangeOf(range.file, tokens.slice(equals + 1), key.end) });
  }
  return assignments;
}

/** `name`, `schema.name` or `catalog.schema.name`, folded where not quoted. */
export function readNameParts(range: TokenRange, property: string, findings: Findings): readonly string[] | null {
  const parts: string[] = [];
  for (const [at, token] of range.tokens.entries()) {
    const text = textOf(range.file, token);
    const macro = token.kind === "macro" ? text : token.kind === "quoted" ? /@\{[^}"]*\}/.exec(text)?.[0] : undefined;
    if (macro !== undefined) {
      findings.fault("macro_unsupported", { macro }, token.start);
      return null;
    }
    const separator = at % 2 === 1;
    if (separator && text === ".") continue;
    if (separator || (token.kind !== "word" && token.kind !== "quoted")) {
      const hint = separator ? " Is a comma missing before it?" : "";
      findings.invalid(`${text} can't stand in the ${property}.${hint}`, token.start);
      return null;
    }
    parts.push(identifierOf(text));
  }
  if (range.tokens.length % 2 === 0) {
    findings.invalid(`The ${property} ends in a dot.`, range.start);
    return null;
  }
  if (parts.includes("")) {
    findings.invalid(`The ${property} has an empty part.`, range.start);
    return null;
  }
  return parts;
}

export function identifierOf(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : foldIdentifier(text);
}

/** The content of 'text', E'text' or $tag$text$tag$. */
export function stringContent(literal: string): string {
  if (literal.startsWith("$")) {
    const tag = literal.slice(0, literal.indexOf("$", 1) + 1);
    return literal.slice(tag.length, -tag.length);
  }
  const escaped = /^[eE]/.test(literal);
  const body = literal.slice(literal.indexOf("'") + 1, -1).replaceAll("''", "'");
  return escaped ? body.replaceAll(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter) : body;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function keyText(file: SourceFile, tokens: readonly Token[]): string {
  const [first, second] = tokens;
  if (first !== undefined && second === undefined) {
    const text = textOf(file, first);
    if (first.kind === "string") return stringContent(text);
    if (first.kind === "quoted") return identifierOf(text);
    return text.toLowerCase();
  }
  return tokens.map((token) => textOf(file, token).toLowerCase()).join("");
}
