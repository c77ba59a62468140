import { byteLength } from "../base/relation-name.ts";

/** Turns the parser's offsets (UTF-8 bytes) into string indexes of the same text. Made once a text, then cheap to ask. */
export type ByteOffsets = (byteOffset: number) => number;

/** One entry each this many characters: memory stays small for megabytes of text, and a look-up walks at most one stretch. */
const STRETCH = 256;

export function byteOffsets(text: string): ByteOffsets {
  if (isAscii(text)) return (offset) => Math.min(Math.max(offset, 0), text.length);
  const bytesAt: number[] = [];
  const indexAt: number[] = [];
  let bytes = 0;
  let index = 0;
  let counted = 0;
  for (const character of text) {
    if (counted % STRETCH === 0) {
      bytesAt.push(bytes);
      indexAt.push(index);
    }
    counted += 1;
    bytes += byteLength(character);
    index += character.length;
  }
  return (offset) => {
    const stretch = lastNotAbove(bytesAt, offset);
    let at = bytesAt[stretch] ?? 0;
    let position = indexAt[stretch] ?? 0;
    while (at < offset && position < text.length) {
      const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
      at += byteLength(character);
      position += character.length;
    }
    return position;
  };
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text);
}

function lastNotAbove(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
