import type { Hash } from "../base/hash.ts";
import type { Model } from "../model/model.ts";
import type { ModelKey } from "../model/model-name.ts";

/**
 * A model at one moment, with what identifies it. Immutable, stored for ever under `id`.
 * `definition`: its own data part. `content`: that and the content of everything it reads.
 * `inPlace`: indexes, storage settings, descriptions. `metadata`: labels only.
 */
export interface Snapshot {
  readonly id: Hash;
  /** Under which rules the hashes were made; see `fingerprint.ts`. */
  readonly format: string;
  readonly definition: Hash;
  readonly content: Hash;
  readonly inPlace: Hash;
  readonly metadata: Hash;
  readonly model: Model;
  /** Managed models it reads, directly or through EMBEDDED ones; sorted. */
  readonly parents: readonly ModelKey[];
}
