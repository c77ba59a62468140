import { describe, expect, test } from "vitest";
import { hashText } from "../../server/core/base/hash.ts";
import type { RunHappening } from "../../server/core/stage/run.ts";
import { problemCodes } from "./problem-code.ts";
import { AT, actionOf, decisionOn, environmentOf, planOf, promotedOf, snapshotOf, versionOf } from "./state-values.ts";
import { begin, type StateWorld } from "./state-world.ts";

export function describeRuns(world: StateWorld): void {
  const done = (action: string): RunHappening => ({ kind: "action_done", action, ms: 1, rows: null, found: false });
  const actions = [actionOf("a01", "shop.a"), actionOf("a02", "shop.b")];

  describe("runs", () => {
    test("only an approved plan starts, by one of those who try at once, with its first event", async () => {
      const plan = planOf({ effects: { actions } });
      await world.store.savePlan(plan);
      expect(await world.store.startRun({ id: "early", plan, by: "ilse", at: AT })).toBeNull();
      await world.store.decide(decisionOn(plan));
      const other = await world.openAnother();
      const started = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          (n % 2 === 0 ? world.store : other).startRun({ id: `r${n}`, plan, by: "ilse", at: AT }),
        ),
      );
      const [run, ...more] = started.filter((each) => each !== null);
      expect(more).toEqual([]);
      expect(run).toEqual({
        id: run?.id,
        planId: plan.id,
        project: "shop",
        environment: "prod",
        state: "running",
        startedBy: "ilse",
        startedAt: AT,
        endedAt: null,
        stage: null,
        done: 0,
        total: 2,
      });
      expect((await world.store.findPlan(plan.id))?.state).toBe("applying");
      const event = { kind: "run_started", by: "ilse", total: 2, resumed: false };
      expect(await world.store.readEvents(run?.id ?? "", 0, 10)).toEqual([{ run: run?.id, seq: 1, at: AT, event }]);
      expect(await world.store.listRuns({ planId: plan.id, environment: null, limit: 10 })).toEqual([run]);
      expect(await world.store.listRuns({ planId: null, environment: "dev", limit: 10 })).toEqual([]);
    });

    test("a plan of another digest doesn't start on the approval of this one", async () => {
      const plan = planOf();
      await world.store.savePlan(plan);
      await world.store.decide(decisionOn(plan));
      expect(
        await world.store.startRun({ id: "r1", plan: { ...plan, digest: hashText("x") }, by: "i", at: AT }),
      ).toBeNull();
    });

    test("events are numbered from 1 without gaps, however they arrive, and read on from any of them", async () => {
      const lease = await begin(world.store, planOf({ effects: { actions } }), "r1");
      const other = await world.openAnother();
      const written = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          (n % 2 === 0 ? world.store : other).appendEvent("r1", lease, AT, { kind: "verified", relations: n }),
        ),
      );
      expect(written.map((each) => each.seq).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 30 }, (_, n) => n + 2),
      );
      const page = await world.store.readEvents("r1", 5, 10);
      expect(page.map((each) => each.seq)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
      expect(await world.store.readEvents("r1", 31, 10)).toEqual([]);
    });

    test("done actions are counted once each", async () => {
      const lease = await begin(world.store, planOf({ effects: { actions } }), "r1");
      for (const action of ["a01", "a01", "a02"]) await world.store.appendEvent("r1", lease, AT, done(action));
      expect(await world.store.readRun("r1")).toMatchObject({ done: 2, total: 2 });
    });

    test("asking to stop is recorded once, in the journal too, and only while it runs", async () => {
      await begin(world.store, planOf(), "r1");
      expect(await world.store.requestStop("r1", "otto", AT)).toBe(true);
      expect(await world.store.requestStop("r1", "otto", AT)).toBe(false);
      expect(await world.store.readRun("r1")).toMatchObject({ state: "stopping" });
      const [, event] = await world.store.readEvents("r1", 0, 10);
      expect(event).toEqual({ run: "r1", seq: 2, at: AT, event: { kind: "stop_requested", by: "otto" } });
      await world.store.setRun("r1", { state: "interrupted", endedAt: AT, stage: "create" });
      expect(await world.store.readRun("r1")).toMatchObject({ state: "interrupted", endedAt: AT, stage: "create" });
      expect(await world.store.requestStop("r1", "otto", AT)).toBe(false);
      await world.store.setRun("r1", { state: "running", endedAt: null });
      expect(await world.store.readRun("r1")).toMatchObject({ state: "running", endedAt: null, stage: "create" });
      expect(await world.store.requestStop("none", "otto", AT)).toBe(false);
      expect(await world.store.readRun("none")).toBeNull();
    });
  });

  describe("promotion", () => {
    test("versions are on record before they are built, and as last recorded", async () => {
      const a = snapshotOf("a");
      const lease = await begin(world.store, planOf({ effects: { snapshots: [a] } }), "r1");
      const other = versionOf("a", "v2");
      await world.store.recordVersions("r1", lease, [versionOf("a", "v1", { filled: false }), other], [a]);
      expect(await world.store.readVersions("shop", ["shop.a"])).toEqual([
        versionOf("a", "v1", { filled: false }),
        other,
      ]);
      expect((await world.store.readSnapshots([a.id])).size).toBe(1);
      await world.store.recordVersions("r1", lease, [versionOf("a", "v1", { usedBy: ["x"], owner: "x" })], []);
      expect(await world.store.readVersions("shop", ["shop.a"])).toEqual([versionOf("a", "v1"), other]);
    });

    test("finalising moves everything at once, and again changes nothing", async () => {
      const a = snapshotOf("a");
      const plan = planOf({ effects: { snapshots: [a] } });
      const lease = await begin(world.store, plan, "r1");
      await world.store.recordIntent("r1", lease, 1, plan.digest);
      const intent = { run: "r1", planId: plan.id, promotion: 1, digest: plan.digest };
      expect(await world.store.readIntent("shop", "prod")).toEqual(intent);
      const environment = environmentOf(plan, [promotedOf("a", "v1", a)]);
      const ended = { kind: "run_ended", state: "applied", problems: [], line: "Applied." } as const;
      const events = [{ kind: "finalised" } as const, ended];
      const outcome = { run: "r1", lease, plan, environment, versions: [versionOf("a", "v1")], at: AT, events };
      const written = await world.store.finalise(outcome);
      expect(written.map(({ seq, event }) => [seq, event.kind])).toEqual([
        [2, "finalised"],
        [3, "run_ended"],
      ]);
      expect(await world.store.finalise(outcome)).toEqual([]);
      expect(await world.store.readEvents("r1", 1, 10)).toEqual(written);
      expect(await world.store.readRun("r1")).toMatchObject({ state: "applied", endedAt: AT });
      expect(await world.store.listEnvironments("shop")).toEqual([environment]);
      expect(await world.store.readIntent("shop", "prod")).toBeNull();
      expect(await world.store.findPlan(plan.id)).toMatchObject({ state: "applied" });
      expect(await world.store.readVersions("shop", ["shop.a"])).toMatchObject([{ usedBy: ["prod"], owner: "prod" }]);
      expect(await world.store.readSnapshots([a.id])).toEqual(new Map([[a.id, a]]));
    });

    test("an environment moves only from the promotion before, else nothing of it is recorded", async () => {
      const plan = planOf({ target: { promotion: 3 }, effects: { snapshots: [snapshotOf("a")] } });
      const lease = await begin(world.store, plan, "r1");
      const versions = [versionOf("a", "v1")];
      const finalised = world.store.finalise({
        run: "r1",
        lease,
        plan,
        environment: environmentOf(plan),
        versions,
        at: AT,
        events: [{ kind: "finalised" }],
      });
      expect(await problemCodes(finalised)).toEqual(["promotion_conflict"]);
      expect(await world.store.listEnvironments("shop")).toEqual([]);
      expect(await world.store.readVersions("shop", ["shop.a"])).toEqual([]);
      expect((await world.store.findPlan(plan.id))?.state).toBe("applying");
    });

    test("other waiting plans of the environment are left as they are", async () => {
      const waiting = planOf({
        target: { submission: 9 },
        context: { author: "otto" },
        effects: { source: hashText("w") },
      });
      await world.store.savePlan(waiting);
      const plan = planOf();
      const lease = await begin(world.store, plan, "r1");
      const environment = environmentOf(plan);
      await world.store.finalise({ run: "r1", lease, plan, environment, versions: [], at: AT, events: [] });
      expect((await world.store.findPlan(waiting.id))?.state).toBe("open");
    });

    test("a later intent takes the place of one that was resolved", async () => {
      const first = planOf();
      await world.store.recordIntent("r1", await begin(world.store, first, "r1"), 1, first.digest);
      await world.store.setRun("r1", { state: "discarded" });
      const second = planOf({
        target: { submission: 2 },
        context: { author: "otto" },
        effects: { source: hashText("2") },
      });
      await world.store.savePlan(second);
      await world.store.decide(decisionOn(second));
      await world.store.startRun({ id: "r2", plan: second, by: "otto", at: AT });
      const outcome = await world.store.acquireLease({ scopes: ["other"], holder: "h", run: "r2" });
      if (!outcome.ok) throw new Error("not free");
      await world.store.recordIntent("r2", outcome.lease, 1, second.digest);
      expect(await world.store.readIntent("shop", "prod")).toMatchObject({ run: "r2", planId: second.id });
    });
  });
}
