import { describe, expect, test } from "vitest";
import type { Captured, CapturedAspect } from "../../../server/core/catalog/captured.ts";
import { aspectsOf, CAPTURED_ASPECTS, differingAspects } from "../../../server/core/catalog/captured-aspects.ts";
import {
  aCapturedCheck,
  aCapturedColumn,
  aCapturedDefault,
  aCapturedFunction,
  aCapturedIndex,
  aCapturedMaterializedView,
  aCapturedPolicy,
  aCapturedRule,
  aCapturedStatistics,
  aCapturedStoredColumn,
  aCapturedTrigger,
  aCapturedView,
  aGrant,
} from "../../builders/captured.ts";

const label = { provider: "p", label: "secret" };

/** Each pair differs in what the name says, and must differ on that side alone. */
const CHANGES: readonly (readonly [string, CapturedAspect, Captured, Captured])[] = [
  ["a view's query", "definition", aCapturedView(), aCapturedView("revenue", { definition: "SELECT 1 AS id" })],
  ["a view's options", "options", aCapturedView(), aCapturedView("revenue", { options: ["security_barrier=true"] })],
  ["an owner", "owner", aCapturedView(), aCapturedView("revenue", { owner: "x" })],
  ["a comment", "comments", aCapturedView(), aCapturedView("revenue", { comment: "x" })],
  ["a label", "labels", aCapturedView(), aCapturedView("revenue", { labels: [label] })],
  ["a grant", "grants", aCapturedView(), aCapturedView("revenue", { grants: [aGrant("PUBLIC")] })],
  ...columnChanges(),
  ...rowTypeChanges(),
  ...materializedViewChanges(),
  ["an index", "definition", aCapturedIndex(), aCapturedIndex("daily_id", { definition: "x" })],
  ["an index's tablespace", "options", aCapturedIndex(), aCapturedIndex("daily_id", { tablespace: "fast" })],
  [
    "an index's target",
    "options",
    aCapturedIndex(),
    aCapturedIndex("daily_id", { statisticsTargets: [{ column: 1, target: 9 }] }),
  ],
  ["an index that is clustered on", "state", aCapturedIndex(), aCapturedIndex("daily_id", { clustered: true })],
  ["an identifying index", "state", aCapturedIndex(), aCapturedIndex("daily_id", { replicaIdentity: true })],
  ["an extension's hold", "state", aCapturedIndex(), aCapturedIndex("daily_id", { extensions: ["hstore"] })],
  ["statistics", "definition", aCapturedStatistics(), aCapturedStatistics("daily_stats", { definition: "x" })],
  ["statistics' target", "options", aCapturedStatistics(), aCapturedStatistics("daily_stats", { target: 0 })],
  ["a rule", "definition", aCapturedRule(), aCapturedRule("quiet", { definition: "x" })],
  ["a rule's host", "definition", aCapturedRule(), aCapturedRule("quiet", { onKind: "view" })],
  ["a rule's state", "state", aCapturedRule(), aCapturedRule("quiet", { state: "disabled" })],
  ["a trigger", "definition", aCapturedTrigger(), aCapturedTrigger("audit", { definition: "x" })],
  ["a trigger's state", "state", aCapturedTrigger(), aCapturedTrigger("audit", { state: "always" })],
  ["a policy's command", "definition", aCapturedPolicy(), aCapturedPolicy("known", { command: "SELECT" })],
  ["a policy's manner", "definition", aCapturedPolicy(), aCapturedPolicy("known", { permissive: false })],
  ["a policy's roles", "definition", aCapturedPolicy(), aCapturedPolicy("known", { roles: ["bi_team"] })],
  ["a policy's USING", "definition", aCapturedPolicy(), aCapturedPolicy("known", { using: null })],
  ["a policy's CHECK", "definition", aCapturedPolicy(), aCapturedPolicy("known", { check: "true" })],
  ["a default", "definition", aCapturedDefault(), aCapturedDefault("total", { expression: "1" })],
  ["a check", "definition", aCapturedCheck(), aCapturedCheck("positive", { definition: "x" })],
  ["a check's validity", "state", aCapturedCheck(), aCapturedCheck("positive", { validated: false })],
  ["a function", "definition", aCapturedFunction(), aCapturedFunction("largest", { definition: "x" })],
  ["a function's signature", "definition", aCapturedFunction(), aCapturedFunction("largest", { signature: "x" })],
  ["a function's grants", "grants", aCapturedFunction(), aCapturedFunction("largest", { grants: [] })],
];

function columnChanges(): typeof CHANGES {
  const changed = (changes: Parameters<typeof aCapturedColumn>[1]): Captured =>
    aCapturedView("revenue", { columns: [aCapturedColumn("id", changes)] });
  return [
    ["a column's type", "columns", aCapturedView(), changed({ type: "bigint" })],
    ["a column's collation", "columns", aCapturedView(), changed({ collation: '"C"' })],
    ["a column's default", "columns", aCapturedView(), changed({ defaultExpression: "1" })],
    ["a column's comment", "comments", aCapturedView(), changed({ comment: "x" })],
    ["a column's grant", "grants", aCapturedView(), changed({ grants: [aGrant("PUBLIC")] })],
    ["a column's label", "labels", aCapturedView(), changed({ labels: [label] })],
    ["a column's name", "columns", aCapturedView(), aCapturedView("revenue", { columns: [aCapturedColumn("no")] })],
  ];
}

function rowTypeChanges(): typeof CHANGES {
  const { rowType } = aCapturedView();
  const changed = (changes: Partial<typeof rowType>): Captured =>
    aCapturedView("revenue", { rowType: { ...rowType, ...changes } });
  return [
    ["a row type's comment", "comments", aCapturedView(), changed({ comment: "x" })],
    ["a row type's grant", "grants", aCapturedView(), changed({ grants: [] })],
    ["a row type's label", "labels", aCapturedView(), changed({ labels: [label] })],
  ];
}

function materializedViewChanges(): typeof CHANGES {
  const before = aCapturedMaterializedView();
  const changed = (changes: Partial<typeof before>): Captured => aCapturedMaterializedView("daily", changes);
  const column = (changes: Parameters<typeof aCapturedStoredColumn>[1]): Captured =>
    changed({ columns: [aCapturedStoredColumn("id", changes)] });
  return [
    ["a TOAST option", "options", before, changed({ toastOptions: ["autovacuum_enabled=false"] })],
    ["a tablespace", "options", before, changed({ tablespace: "fast" })],
    ["an access method", "options", before, changed({ accessMethod: "columnar" })],
    ["whether it is filled", "state", before, changed({ populated: false })],
    ["its replica identity", "state", before, changed({ replicaIdentity: "full" })],
    ["an extension's hold on it", "state", before, changed({ extensions: ["hstore"] })],
    ["a column's storage", "columns", before, column({ storage: "MAIN" })],
    ["a column's compression", "columns", before, column({ compression: "lz4" })],
    ["a column's target", "columns", before, column({ statisticsTarget: 0 })],
    ["a column's options", "columns", before, column({ options: ["n_distinct=5"] })],
  ];
}

describe("the sides of a captured object", () => {
  test.each(CHANGES)("%s changes %s and nothing else", (_what, aspect, before, after) => {
    expect(differingAspects(before, after)).toEqual([aspect]);
    const [a, b] = [aspectsOf(before), aspectsOf(after)];
    expect(CAPTURED_ASPECTS.filter((each) => a[each] !== b[each])).toEqual([aspect]);
    expect(differingAspects(before, before)).toEqual([]);
  });

  test("size, estimates and what a call costs don't count", () => {
    const before = aCapturedMaterializedView();
    expect(differingAspects(before, { ...before, bytes: 1, estimatedRows: 7 })).toEqual([]);
    const routine = aCapturedFunction();
    expect(differingAspects(routine, { ...routine, usesRowType: true, cost: 5 })).toEqual([]);
  });

  test("columns that nothing was given to may come, go and move without changing grants, comments or labels", () => {
    const noted = aCapturedColumn("noted", { comment: "x", grants: [aGrant("PUBLIC")], labels: [label] });
    const other = aCapturedColumn("other", { comment: "y" });
    const before = aCapturedView("revenue", { columns: [aCapturedColumn("id"), noted, other] });
    const after = aCapturedView("revenue", { columns: [other, noted, aCapturedColumn("added")] });
    expect(differingAspects(before, after)).toEqual(["columns"]);
  });

  test("another kind of the same name differs in all", () => {
    const object = aCapturedView().object;
    expect(differingAspects(aCapturedView(), { ...aCapturedIndex(), object })).toEqual(CAPTURED_ASPECTS);
  });
});
