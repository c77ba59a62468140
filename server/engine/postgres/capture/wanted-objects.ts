import type { CapturedKind } from "../../../core/catalog/captured.ts";
import type { ObjectName } from "../../../core/catalog/catalog.ts";
import type { QueryValue } from "../query.ts";
import { splitName } from "./split-name.ts";

/** One object that was asked for, in the parts that its catalog knows it by. */
export interface Wanted {
  readonly object: ObjectName;
  readonly schema: string;
  /** The bare name; of a default the column's. */
  readonly own: string;
  /**
   * The relation that it is on, bare, for what is on one; for routines the text with the types of their arguments; for
   * relations their kind as the catalog has it.
   */
  readonly detail: string;
}

/**
 * What was asked for, by kind and in the order of asking. Left out: what can't be captured (a table, a domain, an
 * extension) and what isn't named as the closure names such things.
 */
export function sortOut(objects: readonly ObjectName[]): ReadonlyMap<CapturedKind, readonly Wanted[]> {
  const byKind = new Map<CapturedKind, Wanted[]>();
  for (const object of objects) {
    const kind = KINDS[object.type];
    const wanted = kind === undefined ? null : wantedAs(kind, object);
    if (kind === undefined || wanted === null) continue;
    const list = byKind.get(kind);
    if (list === undefined) byKind.set(kind, [wanted]);
    else list.push(wanted);
  }
  return byKind;
}

/** By pg_identify_object's word for it. */
const KINDS: Readonly<Record<string, CapturedKind>> = {
  view: "view",
  "materialized view": "materialized_view",
  index: "index",
  "statistics object": "statistics",
  rule: "rule",
  trigger: "trigger",
  policy: "policy",
  "default value": "default",
  "table constraint": "check",
  function: "function",
  procedure: "function",
};

function wantedAs(kind: CapturedKind, object: ObjectName): Wanted | null {
  const { schema, name } = object;
  switch (kind) {
    case "view":
      return { object, schema, own: name, detail: "v" };
    case "materialized_view":
      return { object, schema, own: name, detail: "m" };
    case "index":
      return { object, schema, own: name, detail: "i" };
    default: {
      const parts = splitName(name);
      return parts === null ? null : { object, schema, ...parts };
    }
  }
}

/** The three parameters that every capturing query begins with; see `WANTED`. */
export function wantedValues(wanted: readonly Wanted[]): readonly QueryValue[] {
  return [wanted.map((each) => each.schema), wanted.map((each) => each.own), wanted.map((each) => each.detail)];
}

/** What was asked for as rows; `n` counts from 1 and says which object a row of the answer is. */
export const WANTED = `ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[]))
         WITH ORDINALITY AS w(schema, own, detail, n)`;

/** The object that a row of the answer is about. */
export function wantedOf(wanted: readonly Wanted[], n: number | string): ObjectName {
  const found = wanted[Number(n) - 1];
  if (found === undefined) throw new Error(`row ${n} of ${wanted.length} wanted objects`);
  return found.object;
}
