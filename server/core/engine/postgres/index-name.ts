import { hashJson, shortId } from "../../base/hash.ts";
import { cutToBytes, MAX_IDENTIFIER_BYTES, type RelationName } from "../../base/relation-name.ts";

const DIGEST_LENGTH = 10;

/**
 * The name of an index of one version: the same for the same text on the same relation, another for any other.
 * Index names share their schema's namespace with relations of every version, so a name of the author's own would
 * collide with the version before (and be skipped silently under IF NOT EXISTS).
 */
export function indexName(relation: RelationName, text: string): string {
  const digest = shortId(hashJson([relation.schema, relation.name, text]), DIGEST_LENGTH);
  return `${cutToBytes(relation.name, MAX_IDENTIFIER_BYTES - DIGEST_LENGTH - 3)}__i${digest}`;
}
