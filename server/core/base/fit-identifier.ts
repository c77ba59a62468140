import { hashText, shortId } from "./hash.ts";
import { byteLength, cutToBytes } from "./relation-name.ts";

/** Characters of a hash that stand for what was cut off or replaced: 40 bits. */
const HASH_CHARACTERS = 8;

/**
 * `text` if it fits into `limit` bytes, else as much of it as fits, `__` and a hash of `identity`: two identities never
 * come out alike, where the server would cut both to one name without a word (postgres-lossless 8).
 */
export function fitIdentifier(text: string, limit: number, identity: string = text): string {
  return byteLength(text) <= limit ? text : markIdentifier(text, limit, identity);
}

/** Always with the hash: for texts that no longer say all of what they stand for. */
export function markIdentifier(text: string, limit: number, identity: string): string {
  const mark = `__${shortId(hashText(identity), HASH_CHARACTERS)}`;
  return `${cutToBytes(text, limit - mark.length)}${mark}`;
}
