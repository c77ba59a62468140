/**
 * Cuts SQL into tokens as the PostgreSQL scanner does, but for macros, which the server reads silently as its
 * absolute-value operator: `@name`, `@{…}` and `@'…'` are tokens of their own here. Never throws, whatever the text.
 */
export type TokenKind =
  | "word"
  | "quoted"
  | "string"
  | "number"
  | "parameter"
  | "operator"
  | "punctuation"
  | "macro"
  | "line_comment"
  | "block_comment"
  /** A character that no SQL holds outside quotes: `{`, `}`, control characters. */
  | "other";

/** Offsets are string indexes; `end` is exclusive. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

export interface LexOutcome {
  /** Everything up to the fault, comments included, white space left out. */
  readonly tokens: readonly Token[];
  readonly fault: LexFault | null;
}

export interface LexFault {
  readonly message: string;
  readonly offset: number;
}

const WORD_START = /[A-Za-z_\u0080-\uffff]/;
const WORD = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const SPACE = /[ \t\n\r\f\v]+/y;
const NUMBER =
  /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)/y;
const OPERATOR_RUN = /[+\-*/<>=~!@#%^&|`?]+/y;
const PARAMETER = /\$\d+/y;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const LINE_REST = /[^\n\r]*/y;

/** Operators that end in `@`: after them a name is an operand, not a macro. From pg_operator of 18 with ltree, hstore, intarray. */
const ENDS_IN_AT = new Set(["<@", "@@", "@@@", "^@", "^<@", "?<@", "<<@"]);

export function lexSql(text: string): LexOutcome {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };
  const fail = (message: string, offset: number): LexOutcome => ({ tokens, fault: { message, offset } });
  const push = (kind: TokenKind, end: number): void => {
    tokens.push({ kind, start: at, end });
    at = end;
  };
  while (at < text.length) {
    const character = text.charAt(at);
    const spaceEnd = match(SPACE, at);
    if (spaceEnd !== -1) {
      at = spaceEnd;
      continue;
    }
    if (text.startsWith("--", at)) {
      push("line_comment", match(LINE_REST, at));
      continue;
    }
    if (text.startsWith("/*", at)) {
      const end = blockCommentEnd(text, at);
      if (end === -1) return fail("This comment is never closed: */ is missing.", at);
      push("block_comment", end);
      continue;
    }
    if (character === "'" || character === '"') {
      const end = quotedEnd(text, at, false);
      if (end === -1) return fail(unclosed(character), at);
      push(character === "'" ? "string" : "quoted", end);
      continue;
    }
    if (WORD_START.test(character)) {
      const prefixed = prefixLength(text, at);
      if (prefixed > 0) {
        const end = quotedEnd(text, at + prefixed, /^[eE]$/.test(character));
        if (end === -1) return fail(unclosed(text.charAt(at + prefixed)), at);
        push(text.charAt(at + prefixed) === "'" ? "string" : "quoted", end);
        continue;
      }
      push("word", match(WORD, at));
      continue;
    }
    if (character === "$") {
      const parameterEnd = match(PARAMETER, at);
      if (parameterEnd !== -1) {
        push("parameter", parameterEnd);
        continue;
      }
      const openEnd = match(DOLLAR_QUOTE, at);
      if (openEnd !== -1) {
        const tag = text.slice(at, openEnd);
        const close = text.indexOf(tag, openEnd);
        if (close === -1) return fail(`This quoted text is never closed: the second ${tag} is missing.`, at);
        push("string", close + tag.length);
        continue;
      }
      push("other", at + 1);
      continue;
    }
    const numberEnd = match(NUMBER, at);
    if (numberEnd !== -1) {
      push("number", numberEnd);
      continue;
    }
    const runEnd = match(OPERATOR_RUN, at);
    if (runEnd !== -1) {
      const end = operatorEnd(text, at, runEnd);
      const run = text.slice(at, end);
      if (run.endsWith("@") && !ENDS_IN_AT.has(run) && startsMacro(text, end)) {
        if (end - 1 > at) push("operator", end - 1);
        const close = macroEnd(text, end, match);
        if (close === -1) return fail("This macro is never closed.", at);
        push("macro", close);
      } else {
        push("operator", end);
      }
      continue;
    }
    if (text.startsWith("::", at) || text.startsWith(":=", at)) {
      push("punctuation", at + 2);
      continue;
    }
    push("()[],;.:".includes(character) ? "punctuation" : "other", at + 1);
  }
  return { tokens, fault: null };
}

export function isComment(token: Token): boolean {
  return token.kind === "line_comment" || token.kind === "block_comment";
}

function unclosed(quote: string): string {
  return quote === "'"
    ? "This text is never closed: the second ' is missing."
    : 'This name is never closed: the second " is missing.';
}

/** Block comments nest in PostgreSQL. Returns -1 when one is left open. */
function blockCommentEnd(text: string, start: number): number {
  const border = /\/\*|\*\//g;
  border.lastIndex = start + 2;
  let depth = 1;
  for (let found = border.exec(text); found !== null; found = border.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return border.lastIndex;
  }
  return -1;
}

/** `start` is at the opening quote. A doubled quote is one inside; a backslash counts only in E strings. */
function quotedEnd(text: string, start: number, escapes: boolean): number {
  const quote = text.charAt(start);
  let at = start + 1;
  while (at < text.length) {
    const character = text.charAt(at);
    if (escapes && character === "\\") at += 2;
    else if (character !== quote) at += 1;
    else if (text.charAt(at + 1) === quote) at += 2;
    else return at + 1;
  }
  return -1;
}

/** How many characters stand before the quote in E'', B'', X'', N'', U&'' and U&""; 0 where none of them begins here. */
function prefixLength(text: string, at: number): number {
  if (/^[eEbBxXnN]$/.test(text.charAt(at)) && text.charAt(at + 1) === "'") return 1;
  const unicode = /^[uU]&['"]$/.test(text.slice(at, at + 3));
  return unicode ? 2 : 0;
}

/** The scanner's rules: a comment start ends an operator, and a trailing + or - belongs to it only beside special characters. */
function operatorEnd(text: string, start: number, runEnd: number): number {
  let end = runEnd;
  for (const comment of ["--", "/*"]) {
    const inside = text.slice(start, end).indexOf(comment);
    if (inside > 0) end = start + inside;
  }
  while (end - start > 1 && /[+-]/.test(text.charAt(end - 1)) && !/[~!@#%^&|`?]/.test(text.slice(start, end))) end -= 1;
  return end;
}

function startsMacro(text: string, at: number): boolean {
  const next = text.charAt(at);
  return next === "{" || next === "'" || WORD_START.test(next);
}

function macroEnd(text: string, at: number, match: (pattern: RegExp, from: number) => number): number {
  const next = text.charAt(at);
  if (next === "'") return quotedEnd(text, at, false);
  if (next !== "{") return match(WORD, at);
  const close = text.indexOf("}", at);
  return close === -1 ? -1 : close + 1;
}
