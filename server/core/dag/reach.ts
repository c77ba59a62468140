import { compareText } from "../base/relation-name.ts";
import type { Dag } from "./dag.ts";

/** Everything that `keys` need, directly or not, sorted, without `keys` themselves unless one needs another. */
export function ancestors<Key extends string>(dag: Dag<Key>, keys: Iterable<Key>): readonly Key[] {
  return reach(dag.parents, keys);
}

/** Everything that needs one of `keys`, directly or not, sorted, without `keys` themselves unless one needs another. */
export function descendants<Key extends string>(dag: Dag<Key>, keys: Iterable<Key>): readonly Key[] {
  return reach(dag.children, keys);
}

function reach<Key extends string>(next: ReadonlyMap<Key, readonly Key[]>, keys: Iterable<Key>): readonly Key[] {
  const found = new Set<Key>();
  const open: Key[] = [...keys];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const neighbour of next.get(key) ?? []) {
      if (found.has(neighbour)) continue;
      found.add(neighbour);
      open.push(neighbour);
    }
  }
  return [...found].sort(compareText);
}
