import { quoteIdentifier, quoteRelation, type RelationName } from "../base/relation-name.ts";
import { type ByteOffsets, byteOffsets } from "./byte-offset.ts";
import { isComment, lexSql, type Token } from "./lexer.ts";
import { findMentions, type RelationMention } from "./relation-mentions.ts";
import type { SqlParser } from "./sql-parser.ts";

/** What stands for a relation in the rewritten text; null leaves the author's name alone. */
export type Replacement = { readonly relation: RelationName } | { readonly subquery: string } | null;

export interface ReferenceName {
  readonly schema: string | null;
  readonly name: string;
}

/**
 * Replaces names of relations inside the author's own text, which otherwise stays byte for byte: comments, casing,
 * layout. Where no alias stood the old name becomes one, so that columns written `name.column` still find it.
 * `sql` must parse; it may hold several statements.
 */
export function rewriteReferences(
  parser: SqlParser,
  sql: string,
  resolve: (name: ReferenceName) => Replacement,
): string {
  const parsed = parser.parse(sql);
  if (!parsed.ok) throw new Error(`text to rewrite does not parse: ${parsed.message}`);
  const tokens = lexSql(sql).tokens.filter((token) => !isComment(token));
  const text: SourceText = {
    sql,
    tokens,
    indexOf: byteOffsets(sql),
    tokenAt: new Map(tokens.map((token, at) => [token.start, at])),
  };
  const splices: Splice[] = [];
  for (const statement of parsed.statements) {
    const mentions = findMentions(statement.node);
    const aliases = chooseAliases(mentions);
    for (const mention of mentions) {
      const replacement = resolve({ schema: mention.schema, name: mention.name });
      if (replacement !== null)
        splices.push(...spliceMention(text, mention, replacement, aliases.get(mention) ?? mention.name));
    }
  }
  return applySplices(sql, splices);
}

interface SourceText {
  readonly sql: string;
  readonly tokens: readonly Token[];
  readonly indexOf: ByteOffsets;
  readonly tokenAt: ReadonlyMap<number, number>;
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `s1.t, s2.t` side by side are told apart by their schemas, which a physical name no longer carries. */
function chooseAliases(mentions: readonly RelationMention[]): ReadonlyMap<RelationMention, string> {
  const taken = new Set<string>();
  const aliases = new Map<RelationMention, string>();
  for (const mention of mentions) {
    if (mention.role !== "from" || mention.aliased) continue;
    const key = (alias: string): string => `${mention.scope} ${alias}`;
    let alias = mention.name;
    if (taken.has(key(alias))) alias = `${mention.schema ?? ""}.${mention.name}`;
    taken.add(key(alias));
    aliases.set(mention, alias);
  }
  return aliases;
}

function spliceMention(
  text: SourceText,
  mention: RelationMention,
  replacement: NonNullable<Replacement>,
  alias: string,
): readonly Splice[] {
  const first = tokenIndex(text, text.indexOf(mention.offset));
  const last = nameEnd(text, first);
  const splices: Splice[] = [];
  let end = endOf(text, last);
  let after = last + 1;
  // `t*` asks for child tables too, which is the default.
  if (mention.role === "from" && textOf(text, after) === "*") {
    end = endOf(text, after);
    after += 1;
  }
  const start = text.tokens[first]?.start ?? 0;
  const only = onlyStart(text, first);
  const relation = "relation" in replacement ? quoteRelation(replacement.relation) : `(\n${replacement.subquery}\n)`;
  const needsAlias = mention.role === "from" && !mention.aliased;
  const suffix = needsAlias ? ` AS ${quoteIdentifier(alias)}` : "";
  const closes = only !== null && textOf(text, first - 1) === "(";
  if (closes) {
    const close = text.tokens[after];
    if (close !== undefined)
      splices.push({ start: close.start, end: close.end, text: `${"relation" in replacement ? ")" : ""}${suffix}` });
  }
  splices.push({ start, end, text: closes ? relation : `${relation}${suffix}` });
  if (only !== null && "subquery" in replacement) splices.push({ start: only, end: start, text: "" });
  if (mention.tableForm) {
    const keyword = text.tokens[tokenIndex(text, only ?? start) - 1];
    if (keyword !== undefined) splices.push({ start: keyword.start, end: keyword.end, text: "SELECT * FROM" });
  }
  if (needsAlias) splices.push(...mention.qualifiedColumns.map((column) => spliceColumn(text, column, alias)));
  return splices;
}

/** `schema.table.column` becomes `alias.column`. */
function spliceColumn(text: SourceText, column: RelationMention["qualifiedColumns"][number], alias: string): Splice {
  const first = tokenIndex(text, text.indexOf(column.offset));
  const table = first + 2 * column.partsBeforeTable;
  return { start: text.tokens[first]?.start ?? 0, end: endOf(text, table), text: quoteIdentifier(alias) };
}

function tokenIndex(text: SourceText, start: number): number {
  const index = text.tokenAt.get(start);
  if (index === undefined) throw new Error(`no token begins at ${start}: lexer and parser disagree`);
  return index;
}

/** The index of the last token of a dotted name. */
function nameEnd(text: SourceText, first: number): number {
  let last = first;
  while (textOf(text, last + 1) === ".") last += 2;
  return last;
}

/** Where the word ONLY begins that stands before this name, with or without a parenthesis between. */
function onlyStart(text: SourceText, first: number): number | null {
  const before = textOf(text, first - 1) === "(" ? first - 2 : first - 1;
  const token = text.tokens[before];
  return token !== undefined && token.kind === "word" && /^only$/i.test(textOf(text, before)) ? token.start : null;
}

function textOf(text: SourceText, index: number): string {
  const token = text.tokens[index];
  return token === undefined ? "" : text.sql.slice(token.start, token.end);
}

function endOf(text: SourceText, index: number): number {
  return text.tokens[index]?.end ?? text.sql.length;
}

function applySplices(sql: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const splice of ordered) {
    parts.push(sql.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  parts.push(sql.slice(at));
  return parts.join("");
}
