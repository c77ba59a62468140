/** An immutable directed graph over string keys: from each key to the keys it needs. Needed keys outside it are left out. */
export interface Dag<Key extends string = string> {
  /** Sorted, so that no reader can depend on the order of files. */
  readonly keys: readonly Key[];
  readonly parents: ReadonlyMap<Key, readonly Key[]>;
  readonly children: ReadonlyMap<Key, readonly Key[]>;
}
