import { describe, expect, test } from "vitest";
import { hashText } from "../../server/core/base/hash.ts";
import { problemCodes } from "./problem-code.ts";
import { AT, decisionOn, planOf } from "./state-values.ts";
import type { StateWorld } from "./state-world.ts";

const LATER = "2026-01-02T04:00:00.000Z";

export function describePlans(world: StateWorld): void {
  const all = { project: null, environment: null, states: null, limit: 100 };
  const stateOf = async (id: string): Promise<string | undefined> => (await world.store.findPlan(id))?.state;

  describe("saving plans", () => {
    test("a saved plan is open and comes back byte for byte", async () => {
      const plan = planOf({
        context: { warnings: ["ünï\u2028code", 'quote " and \\'], estimates: { "bi.v": { rows: 1, bytes: null } } },
      });
      const { record, existing } = await world.store.savePlan(plan);
      expect(existing).toBe(false);
      expect(record).toEqual({
        plan,
        state: "open",
        stateBy: "ilse",
        stateAt: AT,
        stateReason: null,
        moved: [],
        supersededBy: null,
      });
      expect(await world.store.findPlan(plan.id)).toEqual(record);
    });

    test("what equals a waiting plan but for the submission number gives that plan, whoever asks", async () => {
      const plan = planOf();
      await world.store.savePlan(plan);
      const again = planOf({ target: { submission: 2 }, context: { author: "otto", now: LATER } });
      const { record, existing } = await world.store.savePlan(again);
      expect({ id: record.plan.id, existing }).toEqual({ id: plan.id, existing: true });
      await world.store.decide(decisionOn(plan));
      expect(await world.store.savePlan(again)).toMatchObject({ existing: true, record: { state: "approved" } });
      expect(await world.store.listPlans(all)).toHaveLength(1);
    });

    test("what equals a closed plan is a new one", async () => {
      const plan = planOf();
      await world.store.savePlan(plan);
      await world.store.decide(decisionOn(plan, { verdict: "reject", reason: "no" }));
      const again = planOf({ target: { submission: 2 } });
      expect(await world.store.savePlan(again)).toMatchObject({ existing: false, record: { state: "open" } });
    });

    test("planning again supersedes what the same author has waiting for the same environment and folder, approved or not", async () => {
      const plan = (submission: number, source: string, author = "ilse", folder = "/srv/shop", environment = "prod") =>
        planOf({
          target: { submission, environment },
          effects: { source: hashText(source) },
          context: { author, folder },
        });
      const first = plan(1, "one");
      const others = [
        plan(2, "two", "otto"),
        plan(3, "three", "ilse", "/srv/other"),
        plan(4, "four", "ilse", "/srv/shop", "dev"),
      ];
      for (const each of [first, ...others]) await world.store.savePlan(each);
      await world.store.decide(decisionOn(first));
      const second = plan(5, "five");
      await world.store.savePlan({ ...second, context: { ...second.context, now: LATER } });
      expect(await world.store.findPlan(first.id)).toMatchObject({
        state: "superseded",
        supersededBy: second.id,
        stateAt: LATER,
      });
      for (const each of others) expect(await stateOf(each.id)).toBe("open");
    });

    test("of many equal plans saved at once one is written, and all get it", async () => {
      const stores = [world.store, await world.openAnother(), await world.openAnother()];
      const saved = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          stores[n % 3]?.savePlan(planOf({ target: { submission: n + 1 }, context: { author: `author ${n}` } })),
        ),
      );
      expect(saved.filter((each) => each?.existing === false)).toHaveLength(1);
      expect(new Set(saved.map((each) => each?.record.plan.id)).size).toBe(1);
    });

    test("of many plans of one author saved at once one stays open", async () => {
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => world.store.savePlan(planOf({ effects: { source: hashText(String(n)) } }))),
      );
      expect(await world.store.listPlans({ ...all, states: ["open"] })).toHaveLength(1);
      expect(await world.store.listPlans({ ...all, states: ["superseded"] })).toHaveLength(7);
    });

    test("submission numbers never repeat for a target", async () => {
      const numbers = await Promise.all(Array.from({ length: 10 }, () => world.store.nextSubmission("shop", "prod")));
      expect([...numbers].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await world.store.nextSubmission("shop", "dev")).toBe(1);
    });

    test("plans are found by whole id or a unique beginning, and listed newest first", async () => {
      const plans = ["one", "two", "three"].map((source, n) =>
        planOf({
          target: { submission: n, environment: n === 2 ? "dev" : "prod" },
          effects: { source: hashText(source) },
          context: { author: source },
        }),
      );
      for (const plan of plans) await world.store.savePlan(plan);
      const ids = plans.map((plan) => plan.id);
      for (const id of ids) expect((await world.store.findPlan(id.slice(0, 8)))?.plan.id).toBe(id);
      expect(await world.store.findPlan("")).toBeNull();
      expect(await world.store.findPlan("%")).toBeNull();
      expect(await world.store.findPlan("_".repeat(12))).toBeNull();
      const listed = await world.store.listPlans(all);
      expect(listed.map((each) => each.plan.id)).toEqual([...ids].reverse());
      expect(await world.store.listPlans({ ...all, environment: "dev" })).toHaveLength(1);
      expect(await world.store.listPlans({ ...all, project: "other" })).toEqual([]);
      expect(await world.store.listPlans({ ...all, limit: 2 })).toHaveLength(2);
    });

    test("a plan moves only from the states that are named", async () => {
      const plan = planOf();
      await world.store.savePlan(plan);
      const note = { by: "otto", at: LATER, reason: "moved on", moved: ["relation:bi.v"] };
      expect(await world.store.movePlan(plan.id, ["approved"], "stale", note)).toBe(false);
      expect(await world.store.movePlan(plan.id, ["open", "approved"], "stale", note)).toBe(true);
      expect(await world.store.findPlan(plan.id)).toMatchObject({
        state: "stale",
        stateBy: "otto",
        stateAt: LATER,
        stateReason: "moved on",
        moved: ["relation:bi.v"],
      });
      expect(await world.store.movePlan("none", ["open"], "stale", note)).toBe(false);
    });
  });

  describe("decisions", () => {
    test("of twenty approvals at once one counts, and the others are told whose", async () => {
      const plan = planOf();
      await world.store.savePlan(plan);
      const stores = [world.store, await world.openAnother(), await world.openAnother(), await world.openAnother()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => stores[n % 4]?.decide(decisionOn(plan, { by: `person ${n}` }))),
      );
      const taken = answers.filter((each) => each?.taken === true);
      expect(taken).toHaveLength(1);
      const standing = taken[0]?.standing;
      for (const each of answers) expect(each?.standing).toEqual(standing);
      expect(await world.store.readDecisions(plan.id)).toEqual([standing]);
      expect(await stateOf(plan.id)).toBe("approved");
    });

    test("approving and rejecting at once leaves one decision, and the state that it says", async () => {
      const plan = planOf();
      await world.store.savePlan(plan);
      await Promise.all([
        world.store.decide(decisionOn(plan)),
        (await world.openAnother()).decide(decisionOn(plan, { verdict: "reject", reason: "no", by: "otto" })),
      ]);
      const [decision, ...more] = await world.store.readDecisions(plan.id);
      expect(more).toEqual([]);
      expect(await stateOf(plan.id)).toBe(decision?.verdict === "approve" ? "approved" : "rejected");
    });

    test("a decision counts for the digest that was seen, and for a plan that waits for one", async () => {
      const plan = planOf();
      await world.store.savePlan(plan);
      expect(await problemCodes(world.store.decide(decisionOn(plan, { digest: hashText("other") })))).toEqual([
        "digest_differs",
      ]);
      expect(await problemCodes(world.store.decide(decisionOn(plan, { planId: "none" })))).toEqual(["plan_unknown"]);
      const second = planOf({ target: { submission: 2 }, effects: { source: hashText("two") } });
      await world.store.savePlan(second);
      expect(await problemCodes(world.store.decide(decisionOn(plan)))).toEqual(["plan_not_open"]);
      expect(await world.store.readDecisions(plan.id)).toEqual([]);
    });

    test("an approval isn't lent to the plan that replaced the approved one", async () => {
      const first = planOf();
      await world.store.savePlan(first);
      await world.store.decide(decisionOn(first));
      const second = planOf({ target: { submission: 2 }, effects: { source: hashText("two") } });
      await world.store.savePlan(second);
      expect(await world.store.startRun({ id: "r1", plan: first, by: "ilse", at: AT })).toBeNull();
      expect(await world.store.startRun({ id: "r2", plan: second, by: "ilse", at: AT })).toBeNull();
    });

    test("a decision keeps what was seen and said", async () => {
      const units = [{ digest: hashText("u1"), model: "shop.a", actions: [] }];
      const plan = planOf({ effects: { units } });
      await world.store.savePlan(plan);
      const decision = decisionOn(plan, { verdict: "reject", reason: "waits for BI", how: "review" });
      await world.store.decide(decision);
      expect(await world.store.readDecisions(plan.id)).toEqual([decision]);
      expect(await world.store.findPlan(plan.id)).toMatchObject({
        state: "rejected",
        stateBy: "bea",
        stateReason: "waits for BI",
      });
    });
  });
}
