import { compareText } from "../base/relation-name.ts";
import type { Dag } from "./dag.ts";

export type TopologicalOrder<Key extends string = string> =
  | { readonly ok: true; readonly order: readonly Key[] }
  /** One loop from a key back to itself, each needing the next: `a, b, c, a`. Nothing that isn't on it. */
  | { readonly ok: false; readonly cycle: readonly Key[] };

/** Parents before children; among those that are ready the first by name, so that the order depends on nothing else. */
export function topologicalOrder<Key extends string>(dag: Dag<Key>): TopologicalOrder<Key> {
  const missing = new Map<Key, number>(dag.keys.map((key) => [key, (dag.parents.get(key) ?? []).length]));
  const ready = new SortedQueue<Key>();
  for (const key of dag.keys) if (missing.get(key) === 0) ready.add(key);
  const order: Key[] = [];
  for (let key = ready.take(); key !== undefined; key = ready.take()) {
    order.push(key);
    for (const child of dag.children.get(key) ?? []) {
      const left = (missing.get(child) ?? 0) - 1;
      missing.set(child, left);
      if (left === 0) ready.add(child);
    }
  }
  if (order.length === dag.keys.length) return { ok: true, order };
  const placed = new Set(order);
  return { ok: false, cycle: findCycle(dag, (key) => !placed.has(key)) };
}

/**
 * What is left over by the sort holds the loops and what lies downstream of them. Each left-over key needs another
 * left-over one, so walking upwards must come to a key for the second time: the walk between is a loop.
 */
function findCycle<Key extends string>(dag: Dag<Key>, leftOver: (key: Key) => boolean): readonly Key[] {
  const walk: Key[] = [];
  const seenAt = new Map<Key, number>();
  let key = dag.keys.find(leftOver);
  while (key !== undefined) {
    const first = seenAt.get(key);
    if (first !== undefined) return closeLoop(walk.slice(first));
    seenAt.set(key, walk.length);
    walk.push(key);
    key = (dag.parents.get(key) ?? []).find(leftOver);
  }
  throw new Error("a graph without a full order has no loop");
}

/** Begins at the first name of the loop, so that the message doesn't depend on where the walk came in. */
function closeLoop<Key extends string>(loop: readonly Key[]): readonly Key[] {
  const first = [...loop].sort(compareText)[0];
  const at = first === undefined ? 0 : loop.indexOf(first);
  const turned = [...loop.slice(at), ...loop.slice(0, at)];
  return [...turned, ...turned.slice(0, 1)];
}

/** A binary heap: 10,000 ready keys must not cost a sort each. */
class SortedQueue<Key extends string> {
  private readonly heap: Key[] = [];

  add(key: Key): void {
    let at = this.heap.push(key) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (compareText(this.at(above), key) <= 0) break;
      this.heap[at] = this.at(above);
      at = above;
    }
    this.heap[at] = key;
  }

  take(): Key | undefined {
    const top = this.heap[0];
    const last = this.heap.pop();
    if (top === undefined || last === undefined || this.heap.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.heap.length) break;
      const right = left + 1;
      const below = right < this.heap.length && compareText(this.at(right), this.at(left)) < 0 ? right : left;
      if (compareText(last, this.at(below)) <= 0) break;
      this.heap[at] = this.at(below);
      at = below;
    }
    this.heap[at] = last;
    return top;
  }

  private at(index: number): Key {
    const key = this.heap[index];
    if (key === undefined) throw new Error("heap index out of range");
    return key;
  }
}
