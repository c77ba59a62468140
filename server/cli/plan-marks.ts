import type { ChangeView, DependentView, GraphView } from "../core/review/plan-view.ts";
import type { Tone } from "./paint.ts";

/** Symbol, word and tone always go together: no meaning by symbol or colour alone. */
export interface Mark {
  readonly symbol: string;
  readonly word: string;
  readonly tone: Tone;
}

type MarkName = NonNullable<GraphView["nodes"][number]["mark"]>;

export const marks: Readonly<Record<MarkName, Mark>> = {
  drop: { symbol: "-", word: "drop", tone: "drop" },
  lost: { symbol: "✕", word: "lost", tone: "lost" },
  blocked: { symbol: "!", word: "blocked", tone: "blocked" },
  recreate: { symbol: "↻", word: "recreate", tone: "recreate" },
  replace: { symbol: "+/-", word: "replace", tone: "replace" },
  change: { symbol: "~", word: "change in place", tone: "change" },
  create: { symbol: "+", word: "create", tone: "create" },
  indirect: { symbol: "»", word: "indirect", tone: "indirect" },
  metadata: { symbol: "·", word: "metadata only", tone: "metadata" },
  kept: { symbol: "", word: "kept", tone: "kept" },
};

export const UNMANAGED = "◇";

/** Danger first, labels last. */
export const changeOrder: readonly ChangeView["mark"][] = [
  "drop",
  "replace",
  "change",
  "create",
  "indirect",
  "metadata",
];

export const fateMarks: Readonly<Record<DependentView["fate"], Mark>> = {
  lost: marks.lost,
  blocked: marks.blocked,
  recreated: marks.recreate,
  replaced: marks.replace,
  kept: marks.kept,
};

export const fateOrder: readonly DependentView["fate"][] = ["lost", "blocked", "recreated", "replaced", "kept"];
