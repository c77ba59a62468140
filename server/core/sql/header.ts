import type { Findings, SourceFile } from "../base/source-file.ts";
import type { Token } from "./lexer.ts";
import { type HeaderPart, textOf } from "./model-file.ts";

/** One `name value` of a header. The value is a stretch of tokens without comments; never empty. */
export interface HeaderProperty {
  /** Lower case. */
  readonly name: string;
  readonly nameAt: number;
  readonly value: TokenRange;
}

/** Tokens of a file, to be read as a value. Offsets are of the file. */
export interface TokenRange {
  readonly file: SourceFile;
  readonly tokens: readonly Token[];
  readonly start: number;
  readonly end: number;
}

/** Splits a header at its commas. Faults are reported and skipped, the rest is still read. */
export function splitHeader(file: SourceFile, header: HeaderPart, findings: Findings): readonly HeaderProperty[] {
  const properties: HeaderProperty[] = [];
  const seen = new Set<string>();
  for (const tokens of splitAtCommas(file, header.tokens)) {
    const [name, ...rest] = tokens;
    if (name === undefined) continue;
    const text = textOf(file, name);
    if (name.kind === "macro") {
      findings.fault("macro_unsupported", { macro: text }, name.start);
    } else if (name.kind !== "word") {
      findings.invalid(`A property's name was expected here, not ${text}.`, name.start);
    } else if (rest.length === 0) {
      findings.invalid(`The property ${text} has no value.`, name.start);
    } else if (seen.has(text.toLowerCase())) {
      findings.invalid(`The property ${text} is given twice.`, name.start);
    } else {
      seen.add(text.toLowerCase());
      properties.push({ name: text.toLowerCase(), nameAt: name.start, value: rangeOf(file, rest, name.end) });
    }
  }
  return properties;
}

export function rangeOf(file: SourceFile, tokens: readonly Token[], emptyAt: number): TokenRange {
  return { file, tokens, start: tokens[0]?.start ?? emptyAt, end: tokens.at(-1)?.end ?? emptyAt };
}

export function splitAtCommas(file: SourceFile, tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    const text = token.kind === "punctuation" ? textOf(file, token) : "";
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
    if (text === "," && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}
