/**
 * Version tokens and names of indexes follow from hashes, so every change of a fingerprint's format would rewrite all
 * goldens. Here each becomes a number, in order of appearance, which is also easier to read.
 */
export function nameTokens(text: string): string {
  const numbers = new Map<string, number>();
  return text.replaceAll(/__(i?[a-z2-7]{10})(?=__|\b)/g, (_whole, token: string) => {
    const number = numbers.get(token) ?? numbers.size + 1;
    numbers.set(token, number);
    return `__${number}`;
  });
}

/** Digests besides: what stays is all that a reader would look at. */
export function nameHashes(text: string): string {
  return nameTokens(text)
    .replaceAll(/"[0-9a-f]{64}"/g, '"…"')
    .replaceAll(/"id": "[a-z2-7]{12}"/g, '"id": "…"');
}
