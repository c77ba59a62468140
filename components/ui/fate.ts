/** The nine fates of an object, and what stands beside them. Symbol, word and colour always go together. */
export type Fate =
  | "create"
  | "change"
  | "replace"
  | "drop"
  | "recreate"
  | "lost"
  | "indirect"
  | "metadata"
  | "unmanaged"
  | "blocked"
  | "kept";

export const fateWord: Readonly<Record<Fate, string>> = {
  create: "create",
  change: "change",
  replace: "replace",
  drop: "drop",
  recreate: "recreate",
  lost: "lost",
  indirect: "indirect",
  metadata: "metadata only",
  unmanaged: "unmanaged",
  blocked: "blocked",
  kept: "kept",
};

/** For counts: "3 to create". */
export const fateCount: Readonly<Record<Fate, string>> = {
  create: "to create",
  change: "to change",
  replace: "to replace",
  drop: "to drop",
  recreate: "to recreate",
  lost: "lost",
  indirect: "indirect",
  metadata: "metadata only",
  unmanaged: "unmanaged",
  blocked: "blocked",
  kept: "kept",
};

/** Danger first; ties are broken by whoever sorts. */
export const fateOrder: readonly Fate[] = [
  "lost",
  "blocked",
  "drop",
  "recreate",
  "replace",
  "change",
  "create",
  "indirect",
  "metadata",
  "kept",
  "unmanaged",
];
