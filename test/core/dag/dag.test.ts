import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildDag } from "../../../server/core/dag/build-dag.ts";
import { ancestors, descendants } from "../../../server/core/dag/reach.ts";
import { topologicalOrder } from "../../../server/core/dag/topological-order.ts";

/** `c: a b` means that c needs a and b. */
function graph(text: string): ReturnType<typeof buildDag> {
  const lines = text.split("\n").map((line) => line.split(":").map((part) => part.trim()));
  return buildDag(
    new Map(lines.map(([key = "", needs = ""]) => [key, needs.split(" ").filter((each) => each !== "")])),
  );
}

/** Edges only from later to earlier keys, so that there is no loop. */
const acyclic = fc.array(fc.array(fc.nat(20), { maxLength: 4 }), { maxLength: 20 }).map((needs) => {
  const entries = needs.map(
    (each, at) => [`k${at}`, each.filter((parent) => parent < at).map((parent) => `k${parent}`)] as const,
  );
  return new Map<string, readonly string[]>(entries);
});

describe("the graph of models", () => {
  it("keeps what it was given: sorted, each edge once, nothing from outside", () => {
    const dag = graph("b: a a x\na:\nc: b a");
    expect(dag.keys).toEqual(["a", "b", "c"]);
    expect([...dag.parents]).toEqual([
      ["a", []],
      ["b", ["a"]],
      ["c", ["a", "b"]],
    ]);
    expect([...dag.children]).toEqual([
      ["a", ["b", "c"]],
      ["b", ["c"]],
      ["c", []],
    ]);
  });

  it("orders parents first, and by name where nothing else decides", () => {
    expect(topologicalOrder(graph("a: z\nb:\nz:\nc: b"))).toEqual({ ok: true, order: ["b", "c", "z", "a"] });
  });

  it("orders every graph without loops, whatever the order it was given in", () => {
    fc.assert(
      fc.property(acyclic, (parents) => {
        const sorted = topologicalOrder(buildDag(parents));
        if (!sorted.ok) throw new Error("a loop where there is none");
        const position = new Map(sorted.order.map((key, at) => [key, at]));
        expect(sorted.order.length).toBe(parents.size);
        for (const [key, needs] of parents) {
          for (const parent of needs) expect(position.get(parent)).toBeLessThan(position.get(key) ?? -1);
        }
        expect(topologicalOrder(buildDag(new Map([...parents].reverse())))).toEqual(sorted);
      }),
    );
  });

  it.each([
    ["a: b\nb: c\nc: a\nd: a\ne:\nf: e", ["a", "b", "c", "a"]],
    ["c: a\na: b\nb: c", ["a", "b", "c", "a"]],
    ["a: a\nb: a", ["a", "a"]],
    ["x: y\ny: x\na: x", ["x", "y", "x"]],
    ["a: b\nb: c d\nc: b\nd: b", ["b", "c", "b"]],
  ])("finds the loop itself, in order, from its first name: %s", (text, cycle) => {
    expect(topologicalOrder(graph(text))).toEqual({ ok: false, cycle });
  });

  it("finds a loop of five thousand without running out of stack", () => {
    const parents = new Map(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, [`k${(at + 1) % 5_000}`]]));
    const sorted = topologicalOrder(buildDag(parents));
    expect(sorted.ok ? 0 : sorted.cycle.length).toBe(5_001);
  });

  it("reaches up and down, without the start unless it needs itself", () => {
    const dag = graph("a:\nb: a\nc: b\nd: b\ne:");
    expect(ancestors(dag, ["c"])).toEqual(["a", "b"]);
    expect(descendants(dag, ["a", "e"])).toEqual(["b", "c", "d"]);
    expect(descendants(dag, ["a", "b"])).toEqual(["b", "c", "d"]);
    expect(ancestors(graph("a: b\nb: a"), ["a"])).toEqual(["a", "b"]);
    expect(ancestors(dag, ["unknown"])).toEqual([]);
  });

  it("reaches down to exactly those that reach up", () => {
    fc.assert(
      fc.property(acyclic, (parents) => {
        const dag = buildDag(parents);
        for (const key of dag.keys) {
          for (const other of dag.keys)
            expect(descendants(dag, [key]).includes(other)).toBe(ancestors(dag, [other]).includes(key));
        }
      }),
      { numRuns: 50 },
    );
  });
});
