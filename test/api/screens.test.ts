import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutInput, neighboursOf, openedOn, uniqueEdges } from "../../components/graph/graph-view-model.ts";
import { layoutGraph } from "../../components/graph/layout-graph.ts";
import { objectRows } from "../../components/objects/object-rows.ts";
import { uniqueRows } from "../../components/objects/unique-rows.ts";
import { outsideTree } from "../../components/outside/outside-tree.ts";
import { progressOf } from "../../components/run/run-progress.ts";
import { changedPart, diffRows, foldRows } from "../../components/sql/diff-lines.ts";
import { spellName, splitName } from "../../components/ui/split-name.ts";
import { viewEvent } from "../../server/api/runs/run-schema.ts";
import { happeningsOf } from "../fakes/fake-run.ts";
import { largePlan, oddPlan, waitingPlan } from "../fakes/shop-plans.ts";

describe("rows of a plan", () => {
  test("every node of the graph is one row, danger first", () => {
    const rows = objectRows(waitingPlan);
    expect(rows.length).toBe(waitingPlan.graph.nodes.length);
    expect(rows[0]).toMatchObject({ name: "mart.item_labels", fate: "drop", group: "attention" });
  });

  test("an object that the data holds twice is one row with both marks", () => {
    const [row] = objectRows(waitingPlan);
    if (row === undefined) throw new Error("no rows");
    expect(uniqueRows([row, { ...row, fate: "recreate" }], false)).toEqual([{ ...row, also: "recreate" }]);
  });

  test("and outside of what people use it is an error that names it", () => {
    const [row] = objectRows(waitingPlan);
    if (row === undefined) throw new Error("no rows");
    expect(() => uniqueRows([row, row], true)).toThrow("mart.item_labels more than once");
  });

  test("names are split at the dot that stands outside quotes, and spelt back", () => {
    expect(splitName('"Sales"."Top.10"')).toEqual({ schema: '"Sales"', name: '"Top.10"' });
    expect(splitName("items")).toEqual({ schema: "", name: "items" });
    expect(spellName({ schema: "Sales", name: 'a"b' })).toBe('"Sales"."a""b"');
  });
});

describe("the graph", () => {
  const layoutOf = (plan: typeof waitingPlan) => {
    const rows = objectRows(plan);
    const edges = uniqueEdges(plan.graph.edges);
    return { rows, edges, layout: layoutGraph(layoutInput(rows, edges)) };
  };

  test("a diamond is four nodes and four lines", () => {
    const node = (id: string) => ({ id, label: id, lane: "shop", managed: true, width: 100, height: 40 });
    const edges = [
      ["a", "b"],
      ["a", "c"],
      ["b", "d"],
      ["c", "d"],
    ].map(([from = "", to = ""]) => ({ from, to }));
    const layout = layoutGraph({ nodes: ["a", "b", "c", "d"].map(node), edges });
    expect(layout.nodes.size).toBe(4);
    expect(layout.edges.length).toBe(4);
  });

  test.each([
    ["the shop", waitingPlan],
    ["odd names", oddPlan],
    ["a thousand nodes", largePlan(1_000)],
  ])("%s: no node lies on another, readers stand right of what they read", (_name, plan) => {
    const { edges, layout } = layoutOf(plan);
    const nodes = [...layout.nodes.values()];
    for (const a of nodes) {
      const clash = nodes.find(
        (b) =>
          b.id !== a.id && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
      );
      expect(clash?.id).toBeUndefined();
    }
    for (const { from, to } of edges)
      expect(layout.nodes.get(to)?.x).toBeGreaterThan(layout.nodes.get(from)?.x ?? Number.POSITIVE_INFINITY);
  });

  test("a cycle in the data ends the layout all the same", () => {
    const node = (id: string) => ({ id, label: id, lane: "s", managed: true, width: 100, height: 40 });
    const edges = [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
    ];
    expect(layoutGraph({ nodes: ["a", "b"].map(node), edges }).nodes.size).toBe(2);
  });

  test("it opens on what changes and two hops round it", () => {
    const { rows, edges } = layoutOf(waitingPlan);
    const opened = openedOn(rows, neighboursOf(edges));
    expect(opened.has("repro.stg_items_base")).toBe(true);
    expect(opened.has("repro.raw_items")).toBe(true);
    expect(opened.size).toBeLessThan(rows.length);
  });
});

describe("outside objects", () => {
  test("each stands once, under what it reads", () => {
    const object = (name: string) => ({ schema: "bi", name, type: "view" });
    const ours = { schema: "shop", name: "items", type: "view" };
    const dependent = (name: string, of: (typeof ours)[]) => ({
      object: object(name),
      owner: "bi",
      managed: false,
      of: of.map((each) => ({ object: each, columns: ["id"] })),
      fate: "kept" as const,
      strategy: null,
      why: "",
    });
    const [root] = outsideTree([dependent("board", [object("items"), ours]), dependent("items", [ours])]);
    expect(root?.name).toBe("shop.items");
    expect(root?.leaves.map(({ dependent: { object }, depth, also }) => [object.name, depth, also])).toEqual([
      ["board", 1, ["bi.items"]],
      ["items", 1, []],
    ]);
  });
});

describe("differences of texts", () => {
  const line = fc.constantFrom("SELECT", "  id,", "  name", "FROM items", "", "WHERE 1 = 1");
  const text = fc.array(line, { maxLength: 30 });

  test("the rows hold every line of both sides once, in order", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = diffRows(before, after);
        expect(rows.flatMap((row) => row.before ?? [])).toEqual(before.map((_, index) => index + 1));
        expect(rows.flatMap((row) => row.after ?? [])).toEqual(after.map((_, index) => index + 1));
        for (const row of rows) if (row.kind === "same") expect(before[row.before - 1]).toBe(after[row.after - 1]);
      }),
    );
  });

  test("folding hides equal lines only, and loses none", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = diffRows(before, after);
        const blocks = foldRows(rows);
        expect(blocks.flatMap((block) => block.rows)).toEqual(rows);
        for (const block of blocks)
          if (block.kind === "fold") expect(block.rows.every((row) => row.kind === "same")).toBe(true);
      }),
    );
  });

  test("only the word that changed is marked", () => {
    expect(changedPart("  sum(amount) AS net,", "  avg(amount) AS net,")).toEqual({ before: [2, 5], after: [2, 5] });
  });
});

describe("the progress of a run", () => {
  const events = (failAt?: number) =>
    happeningsOf(waitingPlan, failAt === undefined ? {} : { failAt }).map((event, index) =>
      viewEvent({ run: "r", seq: index + 1, at: "2026-01-05T10:00:00.000Z", event }),
    );

  test("at the end everything is done and every stage too", () => {
    const progress = progressOf(waitingPlan, events());
    expect(progress.done).toBe(progress.total);
    expect(progress.stages.every(({ state }) => state === "done")).toBe(true);
    expect(progress.running).toEqual([]);
    expect(progress.promotedAt).not.toBeNull();
  });

  test("a failure says how far it came and that nothing was switched", () => {
    const progress = progressOf(waitingPlan, events(9));
    expect(progress.done).toBe(8);
    expect(progress.promotedAt).toBeNull();
    expect(progress.ended?.state).toBe("failed");
    expect(progress.stages.find(({ state }) => state === "stopped")?.stage).toBe("fill");
  });

  test("a resumed run no longer shows the end of its earlier try", () => {
    const before = events(9);
    const resumed = viewEvent({
      run: "r",
      seq: before.length + 1,
      at: "2026-01-05T11:00:00.000Z",
      event: { kind: "run_started", by: "noor", total: 21, resumed: true },
    });
    const progress = progressOf(waitingPlan, [...before, resumed]);
    expect(progress.ended).toBeNull();
    expect(progress.failed).toBeNull();
    expect(progress.done).toBe(8);
  });
});
