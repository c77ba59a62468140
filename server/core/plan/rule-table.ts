import { type KindTag, kindCapabilities } from "../model/model-kind.ts";
import type { RuleRow } from "./decision.ts";

/** All that the rule table of the design page "Semantics" asks about one model. */
export interface Situation {
  readonly kind: KindTag;
  /** New model, kind change, partitioning or access method change: nothing of the old object can be kept. */
  readonly startsAnew: boolean;
  /** A usable version under the model's key that isn't the one this environment has now. */
  readonly reusable: boolean;
  /** The environment has a version of this kind and partitioning, whose history is worth keeping. */
  readonly hasHistory: boolean;
  /** Its own definition, an EMBEDDED parent in it, or declared columns of an EXTERNAL parent read with `*`. */
  readonly ownData: boolean;
  readonly moved: boolean;
  readonly differs: boolean;
  /** Of the parents it differs by, at least one has another version now. */
  readonly parentRebuilt: boolean;
  /** Names and types of its output are those of the version it has, as its kind binds them. */
  readonly sameColumns: boolean;
  /** In-place properties or labels differ. */
  readonly labels: boolean;
  /** The target isn't prod: forward-only changes are shown as previews, and the shared table stays as it is. */
  readonly previews: boolean;
}

export interface Verdict {
  /** In relation to what the walk compares with. */
  readonly outcome: "keep" | "reuse" | "new";
  /** The kept table gets the new columns inside the promotion. */
  readonly alters: boolean;
  /** Kept, but its rows are to be made again once the promotion is done. */
  readonly refreshes: boolean;
  readonly preview: boolean;
}

/** The first row that fits, in the order 2, 1, 3 … 8. Row 9 is asked afterwards, of the catalog. */
export function ruleRow(situation: Situation): Exclude<RuleRow, 9> {
  const { ownData, moved, differs } = situation;
  if (situation.reusable && !(isForwardOnly(situation.kind) && situation.hasHistory)) return 2;
  if (situation.startsAnew) return 1;
  if (!ownData && !moved && !differs) return situation.labels ? 3 : 8;
  if (ownData) return 4;
  if (differs) return situation.parentRebuilt ? 5 : 6;
  return 7;
}

export function ruleVerdict(row: Exclude<RuleRow, 9>, situation: Situation): Verdict {
  return TABLE[row][tableColumn(situation.kind)](situation);
}

type TableColumn = "view" | "materialized_view" | "table" | "forward_only";

const KEEP: Verdict = { outcome: "keep", alters: false, refreshes: false, preview: false };
const REUSE: Verdict = { ...KEEP, outcome: "reuse" };
const NEW: Verdict = { ...KEEP, outcome: "new" };
const REFRESH: Verdict = { ...KEEP, refreshes: true };
const ALTER: Verdict = { ...KEEP, alters: true };
const PREVIEW: Verdict = { ...NEW, preview: true };

const always = (verdict: Verdict) => ({
  view: () => verdict,
  materialized_view: () => verdict,
  table: () => verdict,
  forward_only: () => verdict,
});
const stays = (situation: Situation) => !situation.moved && situation.sameColumns;
const keepsHistory = (situation: Situation) => {
  if (!situation.hasHistory) return NEW;
  if (situation.previews) return PREVIEW;
  return situation.sameColumns ? KEEP : ALTER;
};

const TABLE: Readonly<Record<Exclude<RuleRow, 9>, Readonly<Record<TableColumn, (situation: Situation) => Verdict>>>> = {
  1: always(NEW),
  2: always(REUSE),
  3: always(KEEP),
  4: { ...always(NEW), forward_only: keepsHistory },
  5: { ...always(NEW), forward_only: keepsHistory },
  6: {
    view: (situation) => (stays(situation) ? KEEP : NEW),
    materialized_view: (situation) => (stays(situation) ? REFRESH : NEW),
    table: (situation) => (situation.sameColumns ? KEEP : NEW),
    forward_only: keepsHistory,
  },
  7: { view: () => NEW, materialized_view: () => NEW, table: () => KEEP, forward_only: () => KEEP },
  8: always(KEEP),
};

function tableColumn(kind: KindTag): TableColumn {
  const { alwaysForwardOnly, relation } = kindCapabilities[kind];
  if (relation === null) throw new Error(`the rule table has no column for ${kind}: it has no object of its own`);
  return alwaysForwardOnly ? "forward_only" : relation;
}

function isForwardOnly(kind: KindTag): boolean {
  return kindCapabilities[kind].alwaysForwardOnly;
}
