import type { Hash } from "../base/hash.ts";
import type { Dag } from "../dag/dag.ts";
import type { Model } from "./model.ts";
import type { ModelKey } from "./model-name.ts";

/** A project as loaded from disk for one gateway: every model checked, references resolved, free of cycles. */
export interface Project {
  /** `project:` of the configuration; empty where it isn't set. */
  readonly name: string;
  readonly gateway: string;
  /** Sorted by key. Disabled models are not here; external ones are. */
  readonly models: readonly Model[];
  /** From each model to the models it reads. */
  readonly dag: Dag<ModelKey>;
  readonly naming: NamingRules;
  /** Of every file that was read, by path: recorded in plans, never compared again. */
  readonly source: Hash;
  /** SQL that environments run around an apply; empty in projects without them. */
  readonly warnings: readonly string[];
}

/** How physical and virtual names are made; SQLMesh's configuration keys of the same names. */
export interface NamingRules {
  readonly physicalSchemas: readonly { readonly pattern: string; readonly schema: string }[];
  readonly physicalTable: "schema_and_table" | "table_only" | "hash_md5";
  readonly suffixTarget: "schema" | "table";
}
