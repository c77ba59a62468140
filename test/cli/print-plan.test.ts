import { describe, expect, test } from "vitest";
import { makePaint, plainPaint } from "../../server/cli/paint.ts";
import { printPlan } from "../../server/cli/print-plan.ts";
import { printPlanMarkdown } from "../../server/cli/print-plan-markdown.ts";
import type { PlanView } from "../../server/core/review/plan-view.ts";
import { aChangeView, aDependentView, aPlanView, aSummary } from "../builders/plan-view.ts";

const plain = { paint: plainPaint, width: 100, explain: false, verbose: false, steps: true };
const print = (view: PlanView) => printPlan(view, plain);

const blockedByBi = aPlanView({
  result: "blocked",
  summary: aSummary({ line: "Plan: 0 to create, 2 to replace, 0 to drop, 0 to recreate, 1 lost." }),
  verdict: "Blocked: an outside object uses what would go.",
  dependents: [aDependentView({ fate: "blocked", why: "it uses name, which goes away" })],
  blockers: [
    {
      code: "outside_object_lost",
      sentence: "An object outside the project uses what this plan takes away.",
      objects: [
        { object: { schema: "bi", name: "catalogue", type: "view" }, owner: "bi_owner", columns: ["name"] },
        {
          object: { schema: "bi", name: "Price Bands", type: "materialized view" },
          owner: "bi_owner",
          columns: "unknown",
        },
      ],
    },
  ],
});

describe("a plan on the terminal", () => {
  test("begins with the summary line and ends with what to type", () => {
    const lines = print(aPlanView()).split("\n");
    expect(lines[0]).toBe("Plan: 0 to create, 1 to replace, 0 to drop, 0 to recreate, 0 lost.");
    expect(lines.slice(-5)).toEqual([
      `Plan abcdefghijkl of shop for prod, open, by ilse. Digest ${"6f1c".repeat(16)}`,
      "Next:",
      "  weir approve abcdefghijkl --digest 6f1c6f1c6f1c  # approve exactly this",
      "  weir apply abcdefghijkl                          # carry it out, once approved",
      "  weir show abcdefghijkl --explain                 # every statement, in order",
    ]);
  });

  test("marks every name by symbol and word, danger first", () => {
    const view = aPlanView({
      changes: [
        aChangeView({ model: "a.label", mark: "metadata" }),
        aChangeView({ model: "a.new", mark: "create" }),
        aChangeView({ model: "a.gone", mark: "drop" }),
        aChangeView({ model: "a.child", mark: "indirect", path: ["a.child", "a.mid", "a.root"] }),
        aChangeView({ model: "a.altered", mark: "change" }),
        aChangeView({ model: "a.swapped", mark: "replace" }),
      ],
    });
    const names = print(view)
      .split("\n")
      .filter((line) => / a\.\w+/.test(line))
      .map((line) => line.slice(0, 31).trim().replaceAll(/ +/g, " "));
    expect(names).toEqual([
      "- drop a.gone",
      "+/- replace a.swapped",
      "~ change in place a.altered",
      "+ create a.new",
      "» indirect a.child",
      "· metadata only a.label",
    ]);
    expect(print(view)).toContain("because of a.root");
  });

  test("says which columns come, go and change", () => {
    const columns = {
      added: [{ name: "price", type: "numeric" }],
      removed: [{ name: "name", type: "text" }],
      retyped: [{ name: "id", from: "integer", to: "bigint" }],
      reordered: false,
    };
    const text = print(aPlanView({ changes: [aChangeView({ columns })] }));
    expect(text).toContain("adds price numeric; removes name text; retypes id from integer to bigint");
    const reordered = { added: [], removed: [], retyped: [], reordered: true };
    expect(print(aPlanView({ changes: [aChangeView({ columns: reordered })] }))).toContain("reorders its columns");
  });

  test("a blocked one names every object with its owner and columns, and offers neither approval nor apply", () => {
    const text = print(blockedByBi);
    expect(text).toContain("view bi.catalogue (owner bi_owner): name");
    expect(text).toContain('materialized view bi."Price Bands" (owner bi_owner): columns unknown');
    expect(text).toContain("◇ view bi.catalogue (owner bi_owner)");
    expect(text).toMatch(/^ {2}weir plan prod +# plan again, once resolved$/m);
    expect(text).toContain(
      `weir plan prod --accept outside_object_lost:bi.catalogue --accept 'outside_object_lost:bi."Price Bands"'`,
    );
    expect(text).not.toContain("weir approve");
    expect(text).not.toContain("weir apply");
  });

  test("an option that would unblock the plan is offered, quoted for a shell, and only then", () => {
    const table = { object: { schema: "shop", name: "Audit", type: "table" }, owner: null, columns: ["name"] };
    const destructive = { code: "forward_only_destructive", sentence: "It loses name.", objects: [table] };
    const blocked = { ...blockedByBi, blockers: [destructive] };
    expect(print(blocked)).toContain("weir plan prod --allow-destructive-model 'shop.\"Audit\"'");
    const rights = { code: "rights_missing", sentence: "No right to do that.", objects: [] };
    expect(print({ ...blocked, blockers: [destructive, rights] })).not.toContain("--allow-destructive-model");
  });

  test("an empty one is its summary line and nothing to do", () => {
    const summary = aSummary({ replace: 0, line: "No changes. prod matches the project." });
    expect(print(aPlanView({ result: "empty", summary, changes: [] }))).toBe("No changes. prod matches the project.");
  });

  test.each([
    ["approved", "weir apply abcdefghijkl "],
    ["failed", "weir apply abcdefghijkl --resume"],
    ["applying", "weir apply abcdefghijkl --resume"],
    ["stale", "weir plan prod"],
    ["superseded", "weir plan prod"],
  ])("a plan that is %s tells its own next step", (state, command) => {
    const text = print(aPlanView({ state }));
    expect(text).toContain(command);
    expect(text).not.toContain("weir approve");
  });

  test("has no escape sequence without colours, and the same letters with them", () => {
    const colored = printPlan(blockedByBi, { ...plain, paint: makePaint(true) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(colored.replaceAll(/\x1b\[[0-9;]*m/g, "")).toBe(print(blockedByBi));
    expect(colored).not.toBe(print(blockedByBi));
  });
});

describe("a plan as Markdown", () => {
  test("holds every name, owner and column, and folds the statements", () => {
    const sql = "CREATE VIEW a AS SELECT '```' AS fence";
    const view: PlanView = {
      ...blockedByBi,
      actions: [
        {
          id: "a01",
          kind: "create_view",
          title: "create view a",
          stage: "create",
          layer: "physical",
          target: { schema: "s", name: "a", type: "view" },
          model: "s.a",
          because: "s.a",
          strategy: null,
          whyNotLower: [],
          statements: [{ sql, lock: null, lockTimeoutMs: null, statementTimeoutMs: null }],
          hazards: [],
          downtime: "none",
          reversible: true,
        },
      ],
    };
    const text = printPlanMarkdown(view);
    expect(text).toContain("  - `bi.catalogue` (view, owner `bi_owner`): `name`");
    expect(text).toContain("owner `bi_owner`");
    expect(text).toContain("<details><summary>1 statements, in order</summary>");
    expect(text).toContain("````sql\n-- a01 create: create view a\nCREATE VIEW a AS SELECT '```' AS fence;\n````");
  });

  test("nothing that people name can become markup", () => {
    const changes = [aChangeView({ model: "a|b`c", path: [], reasons: ["<script> | *bold*"] })];
    const row = printPlanMarkdown(aPlanView({ changes }))
      .split("\n")
      .find((line) => line.includes("script"));
    expect(row).toBe("| `+/-` replace | ``a\\|b`c`` | VIEW | \\<script\\> \\| \\*bold\\* |");
  });
});
