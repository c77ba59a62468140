import { compareText } from "../base/relation-name.ts";
import type { Dag } from "./dag.ts";

/** From each key to the keys it needs. Needed keys that aren't keys of the map are left out; repeated ones count once. */
export function buildDag<Key extends string>(parents: ReadonlyMap<Key, readonly Key[]>): Dag<Key> {
  const keys = [...parents.keys()].sort(compareText);
  const up = new Map<Key, readonly Key[]>();
  const down = new Map<Key, Key[]>(keys.map((key) => [key, []]));
  for (const key of keys) {
    const needed = [...new Set(parents.get(key) ?? [])].filter((parent) => parents.has(parent)).sort(compareText);
    up.set(key, needed);
    for (const parent of needed) down.get(parent)?.push(key);
  }
  return { keys, parents: up, children: down };
}
