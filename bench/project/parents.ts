/**
 * For each model the indexes of the earlier ones that it reads: one to three, anywhere before it; the first reads
 * nothing, so that everything lies below it. The last is read by nobody.
 */
export function chooseParents(models: number): readonly (readonly number[])[] {
  const random = createRandom(SEED);
  return Array.from({ length: models }, (_, index) => {
    if (index === 0) return [];
    const wanted = Math.min(index, 1 + Math.floor(random() * 3));
    const chosen = new Set<number>();
    while (chosen.size < wanted) chosen.add(Math.floor(random() * index));
    return [...chosen].sort((a, b) => a - b);
  });
}

const SEED = 20_240_101;

/** Mulberry32: small, even enough, and the same everywhere, so that two people measure the same project. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
