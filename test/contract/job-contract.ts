import { describe, expect, test } from "vitest";
import { hashText } from "../../server/core/base/hash.ts";
import { problem } from "../../server/core/base/problem.ts";
import type { NewJob } from "../../server/ports/state-store.ts";
import { AT, planOf } from "./state-values.ts";
import type { StateWorld } from "./state-world.ts";

export function describeJobs(world: StateWorld): void {
  const saved = async (source: string): Promise<string> => {
    const plan = planOf({ effects: { source: hashText(source) }, context: { author: source } });
    await world.store.savePlan(plan);
    return plan.id;
  };
  const jobOf = (id: string, planId: string): NewJob => ({ id, kind: "apply", planId, requestedBy: "ilse", at: AT });

  describe("jobs", () => {
    test("a second request for a plan answers with the first, until that is finished", async () => {
      const planId = await saved("one");
      const other = await world.openAnother();
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? world.store : other).enqueueJob(jobOf(`j${n}`, planId))),
      );
      expect(answers.filter((each) => !each.existing)).toHaveLength(1);
      const id = answers[0]?.job.id ?? "";
      expect(new Set(answers.map((each) => each.job.id))).toEqual(new Set([id]));
      expect(await world.store.claimJob("w1")).toMatchObject({ id, state: "working" });
      expect(await world.store.enqueueJob(jobOf("j8", planId))).toMatchObject({ existing: true, job: { id } });
      const problems = [problem("plan_unknown", { plan: planId })];
      await world.store.finishJob(id, { state: "failed", problems, run: null });
      expect(await world.store.readJob(id)).toEqual({ ...jobOf(id, planId), state: "failed", problems, run: null });
      expect(await world.store.enqueueJob(jobOf("j9", planId))).toMatchObject({ existing: false });
      expect(await world.store.readJob("none")).toBeNull();
    });

    test("each job is claimed by one worker, oldest first", async () => {
      const ids = ["j1", "j2", "j3", "j4"];
      for (const id of ids) await world.store.enqueueJob(jobOf(id, await saved(id)));
      const other = await world.openAnother();
      expect((await world.store.claimJob("w1"))?.id).toBe("j1");
      const claimed = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((n) => (n % 2 === 0 ? world.store : other).claimJob(`w${n}`)),
      );
      const got = claimed.flatMap((each) => (each === null ? [] : [each.id]));
      expect(new Set(got).size).toBe(got.length);
      const rest = await world.store.claimJob("w9");
      expect([...got, ...(rest === null ? [] : [rest.id])].sort()).toEqual(["j2", "j3", "j4"]);
      expect(await other.claimJob("w9")).toBeNull();
    });

    test("a job whose worker died is claimed again; one that is alive keeps its own", async () => {
      const dying = await world.openAnother();
      await world.store.enqueueJob(jobOf("j1", await saved("one")));
      await world.store.enqueueJob(jobOf("j2", await saved("two")));
      expect((await dying.claimJob("w1"))?.id).toBe("j1");
      expect((await world.store.claimJob("w2"))?.id).toBe("j2");
      expect(await world.store.claimJob("w2")).toBeNull();
      await world.crash(dying);
      expect(await world.store.claimJob("w2")).toMatchObject({ id: "j1", state: "working" });
      await world.store.finishJob("j1", { state: "done", problems: [], run: "r1" });
      await world.store.finishJob("j1", { state: "failed", problems: [], run: null });
      expect(await world.store.readJob("j1")).toMatchObject({ state: "done", run: "r1" });
    });

    test("waiting ends with the next write of anybody, and at the latest after its time", async () => {
      const other = await world.openAnother();
      await world.store.waitForChange(1);
      const planId = await saved("one");
      const waits = world.store.waitForChange(20_000);
      let over = false;
      void waits.then(() => {
        over = true;
      });
      // The first of these may be sent before the listener is there.
      for (let n = 0; !over; n += 1) await other.enqueueJob(jobOf(`j${n}`, planId));
      await waits;
      // Between looking and waiting: not slept through.
      await other.nextSubmission("shop", "prod");
      await world.store.waitForChange(20_000);
    });
  });
}
