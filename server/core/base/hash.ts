import { md5 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Everything that canonical JSON can hold. `undefined` members are refused, since two readers would disagree on them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** SHA-256 as 64 lower-case hex digits. */
export type Hash = string;

/** RFC 8785: members sorted by UTF-16 code units, no white space, numbers and strings as ECMAScript prints them. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error("canonical JSON has no form for a number that is not finite");
    return JSON.stringify(value);
  }
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const keys = Object.keys(value).sort();
  const members = keys.map((key) => {
    const member = value[key];
    if (member === undefined) throw new Error(`canonical JSON has no form for undefined, found at "${key}"`);
    return `${JSON.stringify(key)}:${canonicalJson(member)}`;
  });
  return `{${members.join(",")}}`;
}

export function hashText(text: string): Hash {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** 32 lower-case hex digits, for the table names of SQLMesh's `hash_md5` convention; never an identity of ours. */
export function md5Text(text: string): string {
  return bytesToHex(md5(utf8ToBytes(text)));
}

export function hashJson(value: Json): Hash {
  return hashText(canonicalJson(value));
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** The first `length` base32 characters (RFC 4648, lower case, 5 bits each) of a hex hash: short names for people. */
export function shortId(hash: Hash, length: number): string {
  let bits = 0;
  let held = 0;
  let result = "";
  for (const digit of hash) {
    held = (held << 4) | Number.parseInt(digit, 16);
    bits += 4;
    while (bits >= 5 && result.length < length) {
      bits -= 5;
      result += BASE32[(held >> bits) & 31];
      held &= (1 << bits) - 1;
    }
    if (result.length === length) return result;
  }
  throw new Error(`a hash of ${hash.length} digits is too short for ${length} characters`);
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
