import type { PlanView } from "../api/outputs.ts";
import { spellName } from "../ui/split-name.ts";

export type Dependent = PlanView["dependents"][number];

/** A name of ours and everything that hangs on it, in the order in which it would fall. */
export interface OutsideRoot {
  readonly name: string;
  readonly leaves: readonly OutsideLeaf[];
}

export interface OutsideLeaf {
  readonly dependent: Dependent;
  /** 1 for what reads our name itself. */
  readonly depth: number;
  readonly reads: string;
  readonly columns: readonly string[] | "unknown";
  /** Other things that it reads and that are shown elsewhere. */
  readonly also: readonly string[];
  readonly last: boolean;
}

/** Each outside object once, under the first thing that it reads; what it reads besides is named. */
export function outsideTree(dependents: readonly Dependent[]): readonly OutsideRoot[] {
  const names = new Set(dependents.map(({ object }) => spellName(object)));
  const readersOf = new Map<string, Dependent[]>();
  for (const dependent of dependents) {
    for (const { object } of dependent.of) {
      const key = spellName(object);
      readersOf.set(key, [...(readersOf.get(key) ?? []), dependent]);
    }
  }
  const roots = [...readersOf.keys()].filter((name) => !names.has(name));
  const placed = new Set<Dependent>();
  const grow = (name: string, depth: number): readonly OutsideLeaf[] => {
    const readers = (readersOf.get(name) ?? []).filter((reader) => !placed.has(reader));
    for (const reader of readers) placed.add(reader);
    return readers.flatMap((dependent, index) => [
      {
        dependent,
        depth,
        reads: name,
        columns: dependent.of.find(({ object }) => spellName(object) === name)?.columns ?? "unknown",
        also: dependent.of.map(({ object }) => spellName(object)).filter((other) => other !== name),
        last: index === readers.length - 1,
      },
      ...grow(spellName(dependent.object), depth + 1),
    ]);
  };
  return roots.map((name) => ({ name, leaves: grow(name, 1) })).filter(({ leaves }) => leaves.length > 0);
}
