/**
 * The SQL parser as core sees it: a function value that the shell loads once (WASM) and hands in.
 * The tree is the PostgreSQL server's own raw parse tree, as libpg_query prints it to JSON.
 */
export interface SqlParser {
  /** Parses any number of statements. Never throws for bad SQL. Must not be given text that still holds macros. */
  readonly parse: (sql: string) => ParseOutcome;
  /** Changes with every release that could print a tree differently; part of what a fingerprint is comparable under. */
  readonly version: string;
}

export type ParseOutcome =
  | { readonly ok: true; readonly statements: readonly ParsedStatement[] }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** One statement. `start` and `end` are offsets in UTF-16 code units of the text given (the library's bytes, converted). */
export interface ParsedStatement {
  readonly node: SyntaxNode;
  readonly start: number;
  readonly end: number;
}

/** A node as JSON: `{ SelectStmt: { … } }`. Positions (`location`, `stmt_location`, …) are in UTF-8 bytes. */
export type SyntaxNode = { readonly [field: string]: SyntaxValue };
export type SyntaxValue = undefined | null | boolean | number | string | SyntaxNode | readonly SyntaxValue[];
