import { compareText, displayIdentifier } from "../base/relation-name.ts";

/** A model's name as written in its header, folded like any identifier. A model may stand without a schema. */
export interface ModelName {
  readonly schema: string | null;
  readonly name: string;
}

/** Unique text of a model's name within a project: `repro.stg_items`, `"Sales"."Orders"`, `my_mv`. */
export type ModelKey = string;

export function modelKey(name: ModelName): ModelKey {
  const own = displayIdentifier(name.name);
  return name.schema === null ? own : `${displayIdentifier(name.schema)}.${own}`;
}

export function compareModels(a: { readonly key: ModelKey }, b: { readonly key: ModelKey }): number {
  return compareText(a.key, b.key);
}
