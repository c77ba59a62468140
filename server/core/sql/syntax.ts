import type { SyntaxNode, SyntaxValue } from "./sql-parser.ts";

export function isNode(value: SyntaxValue): value is SyntaxNode {
  return typeof value === "object" && value !== null && !isList(value);
}

export function isList(value: SyntaxValue): value is readonly SyntaxValue[] {
  return Array.isArray(value);
}

/** The inner node of a wrapper such as `{ SelectStmt: { … } }`, or of a plain field; null where it isn't there. */
export function nodeAt(value: SyntaxValue, field: string): SyntaxNode | null {
  if (!isNode(value)) return null;
  const member = value[field];
  return isNode(member) ? member : null;
}

export function listAt(value: SyntaxValue, field: string): readonly SyntaxValue[] {
  if (!isNode(value)) return [];
  const member = value[field];
  return isList(member) ? member : [];
}

export function textAt(value: SyntaxValue, field: string): string | null {
  if (!isNode(value)) return null;
  const member = value[field];
  return typeof member === "string" ? member : null;
}

/** The tree leaves out zeros, so a missing location is the very beginning; -1 marks what has none. */
export function locationOf(node: SyntaxNode): number {
  const location = node.location;
  return typeof location === "number" ? location : 0;
}

/** The only field of a wrapper: `SelectStmt` of `{ SelectStmt: { … } }`. */
export function tagOf(value: SyntaxValue): string | null {
  if (!isNode(value)) return null;
  return Object.keys(value)[0] ?? null;
}

/** `{ String: { sval } }`, the tree's form of a name; the empty string is left out of it. */
export function stringOf(value: SyntaxValue): string | null {
  const text = nodeAt(value, "String");
  return text === null ? null : (textAt(text, "sval") ?? "");
}
