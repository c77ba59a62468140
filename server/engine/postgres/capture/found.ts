import { compareText, type RelationName, relationName } from "../../../core/base/relation-name.ts";
import type { Captured, FiringState, HostKind, SecurityLabel } from "../../../core/catalog/captured.ts";

/** A captured object, and where its dependencies are recorded; a view's `_RETURN` rule counts as the view. */
export interface Found {
  readonly captured: Captured;
  readonly catalog: string;
  readonly oid: number;
}

export function labelsFrom(labels: readonly SecurityLabel[] | null): readonly SecurityLabel[] {
  return [...(labels ?? [])].sort((a, b) => compareText(a.provider, b.provider));
}

export function sortedTexts(texts: readonly string[] | null): readonly string[] {
  return [...(texts ?? [])].sort(compareText);
}

/** The server ends the text of queries and rules with a semicolon, and that of routines with a line break. */
export function withoutEnd(definition: string): string {
  return definition.trim().replace(/;$/, "");
}

export interface HostRow {
  readonly host_kind: string;
  readonly host_schema: string;
  readonly host_name: string;
  readonly owner: string;
}

const HOST_KINDS: Readonly<Record<string, HostKind>> = {
  r: "table",
  p: "table",
  v: "view",
  m: "materialized_view",
  f: "foreign_table",
};

export function hostOf(row: HostRow): { readonly on: RelationName; readonly onKind: HostKind } {
  return { on: relationName(row.host_schema, row.host_name), onKind: spelled(HOST_KINDS, row.host_kind) };
}

/** By pg_rewrite.ev_enabled and pg_trigger.tgenabled. */
const STATES: Readonly<Record<string, FiringState>> = {
  O: "origin",
  D: "disabled",
  R: "replica",
  A: "always",
};

export function firingState(letter: string): FiringState {
  return spelled(STATES, letter);
}

/** The word for a letter of the catalog. A letter that we don't know must not pass for one that we do. */
export function spelled<T>(words: Readonly<Record<string, T>>, letter: string): T {
  const word = words[letter];
  if (word === undefined)
    throw new Error(`the catalog says "${letter}" where one of ${Object.keys(words)} was expected`);
  return word;
}
