/**
 * The longest path from the root to each key along `parentsOf`, 1 for what hangs on the root alone. Keys that stand in
 * a circle (an extension and its members) get one more than the deepest parent that could be settled without them.
 */
export function longestPaths<K>(
  root: K,
  keys: readonly K[],
  parentsOf: (key: K) => readonly K[],
): ReadonlyMap<K, number> {
  const known = new Set(keys);
  const children = new Map<K, K[]>();
  const waiting = new Map<K, number>();
  for (const key of keys) {
    const parents = parentsOf(key).filter((parent) => known.has(parent));
    waiting.set(key, parents.length);
    for (const parent of parents) {
      const list = children.get(parent);
      if (list === undefined) children.set(parent, [key]);
      else list.push(key);
    }
  }
  const depths = new Map<K, number>([[root, 0]]);
  const settle = (start: K): void => {
    const ready = [start];
    for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
      const above = parentsOf(key).map((parent) => depths.get(parent) ?? 0);
      depths.set(key, 1 + Math.max(0, ...above));
      for (const child of children.get(key) ?? []) {
        const left = (waiting.get(child) ?? 0) - 1;
        waiting.set(child, left);
        if (left === 0 && !depths.has(child)) ready.push(child);
      }
    }
  };
  for (const key of keys) if (waiting.get(key) === 0 && !depths.has(key)) settle(key);
  for (const key of keys) if (!depths.has(key)) settle(key);
  depths.delete(root);
  return depths;
}
