import { type Hash, hashJson, shortId } from "../base/hash.ts";
import type { ModelKey } from "../model/model-name.ts";

/** 50 bits: within one model they are checked against each other, between models the names differ as well. */
const TOKEN_CHARACTERS = 10;

export interface TokenSource {
  readonly project: string;
  readonly model: ModelKey;
  readonly lookupKey: Hash;
  /** For forward-only previews the environment they belong to; null for everything else. */
  readonly preview: string | null;
}

/**
 * What ends a physical name: given once, stored, never computed again for an object that exists. From project and model,
 * too, so that two models with the same query never share a name, whatever schemas are mapped into one.
 * `given` is what this model was ever given under this key; `taken` are all its tokens.
 */
export function newVersionToken(source: TokenSource, given: number, taken: ReadonlySet<string>): string {
  for (let ordinal = given; ; ordinal += 1) {
    const token = versionToken(source, ordinal);
    if (!taken.has(token)) return token;
  }
}

export function versionToken(source: TokenSource, ordinal: number): string {
  return shortId(hashJson({ ...source, ordinal }), TOKEN_CHARACTERS);
}
