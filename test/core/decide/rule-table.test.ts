import { describe, expect, it } from "vitest";
import type { KindTag } from "../../../server/core/model/model-kind.ts";
import { ruleRow, ruleVerdict, type Situation } from "../../../server/core/plan/rule-table.ts";

const KINDS = ["view", "materialized_view", "full", "seed", "incremental_by_partition"] as const satisfies KindTag[];

const unchanged: Omit<Situation, "kind"> = {
  startsAnew: false,
  reusable: false,
  hasHistory: true,
  ownData: false,
  moved: false,
  differs: false,
  parentRebuilt: false,
  sameColumns: true,
  labels: false,
  previews: false,
};

type Outcomes = readonly [view: string, mv: string, full: string, seed: string, partition: string];
type Case = readonly [row: number, what: string, situation: Partial<Situation>, outcomes: Outcomes];

/** `2 reuse` where a kind's row is another than the case's. */
const cases: readonly Case[] = [
  [
    1,
    "a new model is built",
    { startsAnew: true, ownData: true, differs: true, hasHistory: false },
    ["new", "new", "new", "new", "new"],
  ],
  [
    1,
    "B27: a change of kind is never forward-only, so that no table is taken for a view",
    { startsAnew: true, ownData: true, differs: true, hasHistory: false, previews: true },
    ["new", "new", "new", "new", "new"],
  ],
  [
    2,
    "a known version is used again rather than built twice, but history is never swapped for an older one",
    { reusable: true, ownData: true, differs: true },
    ["reuse", "reuse", "reuse", "reuse", "4 keep"],
  ],
  [
    2,
    "a version that another environment built serves a model that is new here",
    { reusable: true, startsAnew: true, ownData: true, differs: true, hasHistory: false },
    ["reuse", "reuse", "reuse", "reuse", "reuse"],
  ],
  [3, "a tag never rebuilds anything", { labels: true }, ["keep", "keep", "keep", "keep", "keep"]],
  [
    4,
    "an edited query gets a new object beside the old one, and history is altered instead",
    { ownData: true, differs: true, sameColumns: false },
    ["new", "new", "new", "new", "alter"],
  ],
  [
    4,
    "history whose columns stay needs no ALTER",
    { ownData: true, differs: true },
    ["new", "new", "new", "new", "keep"],
  ],
  [
    4,
    "outside prod the shared history stays untouched, a preview shows the change",
    { ownData: true, differs: true, sameColumns: false, previews: true },
    ["new", "new", "new", "new", "new preview"],
  ],
  [
    5,
    "rows that come from a rebuilt parent are made again, but history keeps its rows",
    { differs: true, moved: true, parentRebuilt: true },
    ["new", "new", "new", "new", "keep"],
  ],
  [
    5,
    "history takes columns that its parents changed",
    { differs: true, moved: true, parentRebuilt: true, sameColumns: false },
    ["new", "new", "new", "new", "alter"],
  ],
  [
    5,
    "outside prod a preview shows what a rebuilt parent does to history",
    { differs: true, moved: true, parentRebuilt: true, previews: true },
    ["new", "new", "new", "new", "new preview"],
  ],
  [
    6,
    "behind a forward-only parent nothing with equal columns is built anew",
    { differs: true },
    ["keep", "refresh", "keep", "keep", "keep"],
  ],
  [
    6,
    "other columns behind a forward-only parent need a new object",
    { differs: true, sameColumns: false },
    ["new", "new", "new", "new", "alter"],
  ],
  [
    6,
    "what binds names can't stay when a name moved, whatever its columns",
    { differs: true, moved: true },
    ["new", "new", "keep", "keep", "keep"],
  ],
  [
    7,
    "B28: a view never stays on its source's old object, a table needn't know",
    { moved: true },
    ["new", "new", "keep", "keep", "keep"],
  ],
  [8, "what nothing happened to is left alone", {}, ["keep", "keep", "keep", "keep", "keep"]],
];

describe("the rule table", () => {
  for (const [row, what, situation, outcomes] of cases) {
    it.each(KINDS.map((kind, index) => [kind, outcomes[index]] as const))(
      `row ${row}, ${what}: %s`,
      (kind, outcome) => {
        const all: Situation = { ...unchanged, ...situation, kind };
        const found = ruleRow(all);
        const verdict = ruleVerdict(found, all);
        const words = [
          ...(found === row ? [] : [found]),
          verdict.alters ? "alter" : verdict.refreshes ? "refresh" : verdict.outcome,
          ...(verdict.preview ? ["preview"] : []),
        ];
        expect(words.join(" ")).toBe(outcome);
      },
    );
  }

  it("kinds without an object have no column", () => {
    expect(() => ruleVerdict(8, { ...unchanged, kind: "embedded" })).toThrow(/no object of its own/);
  });
});
