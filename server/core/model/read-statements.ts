import type { Findings } from "../base/source-file.ts";
import { byteOffsets } from "../sql/byte-offset.ts";
import { type Expansion, expandMacros } from "../sql/expand.ts";
import { isComment, lexSql } from "../sql/lexer.ts";
import type { ModelFile, StatementPart } from "../sql/model-file.ts";
import { findMentions } from "../sql/relation-mentions.ts";
import type { SqlParser, SyntaxNode, SyntaxValue } from "../sql/sql-parser.ts";
import { isList, isNode, locationOf, nodeAt, tagOf } from "../sql/syntax.ts";

/** A statement of a model file, parsed. `text` has neither macros nor the gateway's own database in front of names. */
export interface ReadStatement {
  readonly text: string;
  readonly node: SyntaxNode;
  /** String indexes in the file. */
  readonly start: number;
  readonly end: number;
  readonly mentions: readonly ReadMention[];
  /** The text that `node`'s positions belong to, and the way from its indexes to the file's. */
  readonly parsed: Expansion;
}

export interface ReadMention {
  readonly schema: string | null;
  readonly name: string;
  readonly at: number;
  readonly star: boolean;
}

export interface ReadStatements {
  readonly query: ReadStatement | null;
  readonly pre: readonly ReadStatement[];
  readonly post: readonly ReadStatement[];
  /** False where a statement couldn't be read, so that a missing query may be that one. */
  readonly complete: boolean;
}

export interface StatementContext {
  readonly parser: SqlParser;
  /** The gateway's database; other databases can't be read from it. Null where none is known. */
  readonly database: string | null;
}

/** Parses each statement, tells the query from what runs before and after it, and reports what can't be run. */
export function readStatements(file: ModelFile, context: StatementContext, findings: Findings): ReadStatements {
  const reported = new Set<string>();
  const pre: ReadStatement[] = [];
  const post: ReadStatement[] = [];
  let query: ReadStatement | null = null;
  let complete = true;
  for (const part of file.statements) {
    const statement = readStatement(file, part, context, findings, reported);
    if (statement === null) complete = false;
    else if (tagOf(statement.node) !== "SelectStmt") (query === null ? pre : post).push(statement);
    else if (query === null) query = statement;
    else findings.invalid("A model has one query; this is a second one. Give it a file of its own.", part.start);
  }
  if (query !== null) checkQuery(query, findings);
  for (const statement of [...pre, ...post]) checkSideStatement(statement, findings);
  return { query, pre, post, complete };
}

function readStatement(
  file: ModelFile,
  part: StatementPart,
  context: StatementContext,
  findings: Findings,
  reported: Set<string>,
): ReadStatement | null {
  const expansion = expandMacros(file.file, part, findings, reported);
  if (expansion === null) return null;
  const outcome = context.parser.parse(expansion.text);
  if (!outcome.ok) {
    findings.fault("syntax_error", { message: outcome.message }, expansion.toSource(outcome.offset));
    return null;
  }
  const [first, second] = outcome.statements;
  if (first === undefined || second !== undefined) {
    findings.fault("syntax_error", { message: "One statement was expected here." }, part.start);
    return null;
  }
  const mentions = findMentions(first.node);
  const indexOf = byteOffsets(expansion.text);
  const catalogs = mentions.filter((each) => each.catalog !== null);
  for (const each of catalogs) {
    if (each.catalog === context.database || context.database === null) continue;
    const target = [each.catalog, each.schema, each.name].join(".");
    findings.invalid(
      `${target} is in the database ${each.catalog}, and this gateway's is ${context.database}. A model reads its own database only.`,
      expansion.toSource(indexOf(each.offset)),
    );
  }
  return {
    text: dropCatalogs(
      expansion.text,
      catalogs.map((each) => indexOf(each.offset)),
    ),
    node: first.node,
    start: part.start,
    end: part.end,
    mentions: mentions.map(({ schema, name, offset, star }) => ({
      schema,
      name,
      star,
      at: expansion.toSource(indexOf(offset)),
    })),
    parsed: expansion,
  };
}

/** Takes the first part and its dot away from the names that begin at these indexes. */
function dropCatalogs(text: string, starts: readonly number[]): string {
  if (starts.length === 0) return text;
  const tokens = lexSql(text).tokens.filter((token) => !isComment(token));
  let result = "";
  let at = 0;
  for (const start of starts) {
    const second = tokens[tokens.findIndex((token) => token.start === start) + 2];
    if (second === undefined) continue;
    result += text.slice(at, start);
    at = second.start;
  }
  return result + text.slice(at);
}

function checkQuery(query: ReadStatement, findings: Findings): void {
  const indexOf = byteOffsets(query.parsed.text);
  const placeOf = (node: SyntaxNode): number => query.parsed.toSource(indexOf(Math.max(locationOf(node), 0)));
  const select = nodeAt(query.node, "SelectStmt");
  if (select !== null && nodeAt(select, "intoClause") !== null) {
    findings.invalid("A model's query can't have INTO; where its rows go is the model's kind.", query.start);
  }
  visitNodes(query.node, (tag, node) => {
    if (tag === "ParamRef") findings.invalid("Parameters such as $1 can't stand in a model.", placeOf(node));
    if (!["InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"].includes(tag)) return;
    const relation = nodeAt(node, "relation");
    findings.invalid("A model's query may not change data.", relation === null ? query.start : placeOf(relation));
  });
}

function checkSideStatement(statement: ReadStatement, findings: Findings): void {
  if (tagOf(statement.node) !== "TransactionStmt") return;
  findings.invalid(
    "BEGIN, COMMIT and the like can't stand in a model: Weir runs its statements in transactions of its own.",
    statement.start,
  );
}

function visitNodes(value: SyntaxValue, visit: (tag: string, node: SyntaxNode) => void): void {
  const open: SyntaxValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isList(next)) {
      for (const member of next) if (typeof member === "object") open.push(member);
    } else if (isNode(next)) {
      for (const tag in next) {
        const member = next[tag];
        if (isNode(member)) visit(tag, member);
        if (typeof member === "object") open.push(member);
      }
    }
  }
}

/** `INSERT`, `CREATE TABLE`: the first words of a statement, for messages. */
export function statementWord(statement: ReadStatement): string {
  const words = /^\s*([a-z]+)(?:\s+([a-z]+))?/i.exec(statement.text);
  const [, first = "", second = ""] = words ?? [];
  const verb = first.toUpperCase();
  return ["CREATE", "ALTER", "DROP"].includes(verb) ? `${verb} ${second.toUpperCase()}` : verb;
}
