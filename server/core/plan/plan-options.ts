import type { ModelKey } from "../model/model-name.ts";

/** What was asked for; part of a plan's effects, since the same project gives another plan under other options. */
export interface PlanOptions {
  /** Models whose forward-only tables may lose or retype columns. */
  readonly allowDestructive: readonly ModelKey[];
  /** Losses that somebody named and took on: `CODE:schema.object`. */
  readonly accept: readonly string[];
  /** Plan although the environment looks as if it belonged to another project. */
  readonly replaceProject: boolean;
}
