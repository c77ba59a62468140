import type { Hash } from "../base/hash.ts";
import type { RelationName } from "../base/relation-name.ts";
import type { KindTag } from "../model/model-kind.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";

/** What an environment serves, as the last promotion left it. */
export interface Environment {
  readonly project: string;
  readonly name: string;
  /** Counts promotions; 0 means that none was ever finalised. */
  readonly promotion: number;
  readonly planId: string | null;
  readonly promotedAt: string | null;
  /** Sorted by model. */
  readonly models: readonly PromotedModel[];
}

/** One model in an environment. EMBEDDED and EXTERNAL models have neither version nor relations. */
export interface PromotedModel {
  readonly model: ModelKey;
  readonly snapshot: Hash;
  readonly version: string | null;
  readonly relation: RelationName | null;
  readonly view: RelationName | null;
  /** In the model's own order. */
  readonly columns: readonly OutputColumn[];
  /** Names in the order that the virtual view serves. */
  readonly served: readonly string[];
}

/** A physical object that was ever decided on, under the key that it was decided by. */
export interface KnownVersion {
  readonly project: string;
  readonly model: ModelKey;
  readonly lookupKey: Hash;
  readonly version: string;
  readonly kind: KindTag;
  readonly partitionedBy: readonly string[];
  readonly relation: RelationName;
  /** `definition` and `content` that its rows and columns were last made under. */
  readonly definition: Hash;
  readonly content: Hash;
  readonly columns: readonly OutputColumn[];
  /** False since a forward-only change altered it or rows were written under another content. */
  readonly pristine: boolean;
  /** False until its first fill and audits are done. */
  readonly filled: boolean;
  /** A forward-only preview of a development environment: prod never uses it. */
  readonly preview: boolean;
  /** The environment that may write it: prod if prod uses it, else the oldest that does. */
  readonly owner: string | null;
  /** Every environment that serves it now; sorted. */
  readonly usedBy: readonly string[];
}

export const PROD = "prod";
