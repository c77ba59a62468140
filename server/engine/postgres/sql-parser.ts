import { hasSqlDetails, loadModule, parseSync } from "libpg-query";
import { type ByteOffsets, byteOffsets } from "../../core/sql/byte-offset.ts";
import { lexSql } from "../../core/sql/lexer.ts";
import type { ParsedStatement, ParseOutcome, SqlParser, SyntaxNode, SyntaxValue } from "../../core/sql/sql-parser.ts";
import { isList, isNode, listAt, nodeAt } from "../../core/sql/syntax.ts";

/** Texts that the grammar would take, but that cost more memory or time than a planner has. Measured: 44 MB of tree for 500,000 tokens. */
const MAX_CHARACTERS = 8_000_000;
const MAX_TOKENS = 250_000;
/** Levels of the tree. 500 nested subqueries make about 3,000; beyond 5,000 the library's own printer runs out of stack. */
const MAX_LEVELS = 4_000;

const TOO_DEEP =
  "This is nested too deeply to be read: more than about 500 levels. Break it into several models or common table expressions.";

/**
 * The server's own grammar (PostgreSQL 18) as WebAssembly; the only import of libpg-query. Loaded once a process,
 * synchronous afterwards. Never throws for what it is given.
 */
export async function loadSqlParser(): Promise<SqlParser> {
  await loadModule();
  return { parse, version: "libpg-query 18.1" };
}

function parse(sql: string): ParseOutcome {
  const nul = sql.indexOf("\0");
  if (nul !== -1) return { ok: false, message: "There is a NUL character here, which no SQL can hold.", offset: nul };
  if (sql.length > MAX_CHARACTERS) {
    return {
      ok: false,
      message: `This is too long to be read: ${sql.length} characters, at most ${MAX_CHARACTERS} can be.`,
      offset: 0,
    };
  }
  if (sql.length > MAX_TOKENS && lexSql(sql).tokens.length > MAX_TOKENS) {
    return { ok: false, message: `This is too long to be read: more than ${MAX_TOKENS} words and signs.`, offset: 0 };
  }
  const indexOf = byteOffsets(sql);
  try {
    const tree = parseSync(sql) as unknown as SyntaxNode;
    if (!isShallow(tree)) return { ok: false, message: TOO_DEEP, offset: 0 };
    return { ok: true, statements: statementsOf(tree, sql, indexOf) };
  } catch (error) {
    return failure(error, sql);
  }
}

function failure(error: unknown, sql: string): ParseOutcome {
  const message = error instanceof Error ? error.message : String(error);
  if (message === "Query cannot be empty") return { ok: true, statements: [] };
  if (error instanceof RangeError || message.startsWith("memory exhausted"))
    return { ok: false, message: TOO_DEEP, offset: 0 };
  // The library counts characters here, not bytes (18.1.5), while the tree's locations are bytes.
  const position = cursorOf(error);
  return { ok: false, message: sentence(message), offset: position === null ? 0 : characterIndex(sql, position) };
}

function statementsOf(tree: SyntaxNode, sql: string, indexOf: ByteOffsets): readonly ParsedStatement[] {
  return listAt(tree, "stmts").flatMap((raw) => {
    const node = nodeAt(raw, "stmt");
    if (node === null) return [];
    const from = numberAt(raw, "stmt_location");
    const length = numberAt(raw, "stmt_len");
    const start = indexOf(from);
    const end = length === 0 ? sql.length : indexOf(from + length);
    return [{ node, start, end: start + sql.slice(start, end).trimEnd().length }];
  });
}

function isShallow(tree: SyntaxNode): boolean {
  let level: SyntaxValue[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return false;
    const next: SyntaxValue[] = [];
    for (const value of level) {
      for (const member of isList(value) ? value : Object.values(value as SyntaxNode)) {
        if (typeof member === "object" && member !== null) next.push(member);
      }
    }
    level = next;
  }
  return true;
}

function cursorOf(error: unknown): number | null {
  return hasSqlDetails(error) ? (error.sqlDetails?.cursorPosition ?? null) : null;
}

function characterIndex(sql: string, characters: number): number {
  let index = 0;
  for (let counted = 0; counted < characters && index < sql.length; counted += 1) {
    index += (sql.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

function numberAt(value: SyntaxValue, field: string): number {
  const member = isNode(value) ? value[field] : undefined;
  return typeof member === "number" ? member : 0;
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return text.endsWith(".") ? text : `${text}.`;
}
