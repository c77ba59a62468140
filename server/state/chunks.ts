/** A statement takes at most 65,535 parameters (16 bits in the protocol); our widest rows have 16. */
const ROWS_A_STATEMENT = 1_000;

export function inChunks<T>(list: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += ROWS_A_STATEMENT)
    chunks.push(list.slice(start, start + ROWS_A_STATEMENT));
  return chunks;
}
