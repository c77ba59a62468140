import type { Json } from "../base/hash.ts";
import { compareText } from "../base/relation-name.ts";
import type { SyntaxNode, SyntaxValue } from "./sql-parser.ts";
import { isList, isNode, stringOf } from "./syntax.ts";

/**
 * A statement as a text that is equal for equal meaning as far as the grammar can tell: no positions, and the few
 * spellings that the server's own tree keeps apart brought together. White space, comments, letter case of keywords
 * and unquoted names, redundant parentheses and `AS` are gone already; literals stay. Text and not a tree, so that
 * hashing it needs no recursion.
 */
export function canonicalStatement(statement: SyntaxNode): Json {
  const parts: string[] = [];
  write(statement, parts);
  return parts.join("");
}

function write(value: SyntaxValue, parts: string[]): void {
  if (isList(value)) {
    parts.push("[");
    for (const item of value) {
      write(item, parts);
      parts.push(",");
    }
    parts.push("]");
    return;
  }
  if (typeof value !== "object" || value === null) {
    parts.push(JSON.stringify(value ?? null));
    return;
  }
  parts.push("{");
  for (const field of Object.keys(value).sort(compareText)) {
    if (isPosition(field)) continue;
    parts.push(JSON.stringify(field), ":");
    write(normalised(field, value[field]), parts);
    parts.push(",");
  }
  parts.push("}");
}

/** `location`, `stmt_location`, `stmt_len`, `name_location`, `list_start`, `rexpr_list_end`, … */
function isPosition(field: string): boolean {
  return (
    field === "stmt_len" || field.endsWith("location") || field.endsWith("list_start") || field.endsWith("list_end")
  );
}

function normalised(field: string, value: SyntaxValue): SyntaxValue {
  if (field === "SortBy" && isNode(value)) return normaliseSort(value);
  if ((field === "typeName" || field === "TypeName") && isNode(value)) return normaliseType(value);
  return value;
}

/** ASC is the default, and so is where nulls go in each direction. */
function normaliseSort(sort: SyntaxNode): SyntaxNode {
  const direction = sort.sortby_dir === "SORTBY_ASC" ? "SORTBY_DEFAULT" : sort.sortby_dir;
  const usual =
    direction === "SORTBY_DESC" ? "SORTBY_NULLS_FIRST" : direction === "SORTBY_DEFAULT" ? "SORTBY_NULLS_LAST" : null;
  const nulls = sort.sortby_nulls === usual ? "SORTBY_NULLS_DEFAULT" : sort.sortby_nulls;
  return { ...sort, sortby_dir: direction, sortby_nulls: nulls };
}

/** The grammar prints `integer` as `pg_catalog.int4` and `int4` as written; pg_catalog comes first in every search path. */
function normaliseType(type: SyntaxNode): SyntaxNode {
  const names = type.names;
  if (!isList(names) || names.length !== 2 || stringOf(names[0]) !== "pg_catalog") return type;
  return { ...type, names: names.slice(1) };
}
