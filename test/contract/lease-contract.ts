import { describe, expect, test } from "vitest";
import { problemCodes } from "./problem-code.ts";
import { AT, planOf } from "./state-values.ts";
import { begin, type StateWorld } from "./state-world.ts";

export function describeLeases(world: StateWorld): void {
  const request = (run: string, ...scopes: readonly string[]) => ({ run, scopes, holder: `${run} by test` });
  const take = async (run: string, ...scopes: readonly string[]) => {
    const outcome = await world.store.acquireLease(request(run, ...scopes));
    if (!outcome.ok) throw new Error(`${outcome.scope} is held by ${outcome.holder}`);
    return outcome.lease;
  };

  describe("leases", () => {
    test("all scopes or none, and whoever comes second is told who has the first of them in name order", async () => {
      await take("r1", "m", "b");
      const other = await world.openAnother();
      const refused = await other.acquireLease(request("r2", "z", "m", "a", "b"));
      expect(refused).toMatchObject({ ok: false, scope: "b", holder: "r1 by test", run: "r1" });
      if (refused.ok) return;
      expect(new Date(refused.since).toISOString()).toBe(refused.since);
      expect(await other.acquireLease(request("r3", "a", "z"))).toMatchObject({ ok: true });
      expect(await world.store.acquireLease(request("r1", "m"))).toMatchObject({ ok: false, scope: "m" });
    });

    test("a released lease is free, and each change of hands has a larger epoch than any before", async () => {
      const first = await take("r1", "a", "b");
      await world.store.releaseLease(first);
      await world.store.releaseLease(first);
      const second = await take("r2", "b", "c");
      const third = await take("r3", "a");
      expect(first.scopes).toEqual(["a", "b"]);
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(third.epoch).toBeGreaterThan(second.epoch);
    });

    test("of many who want common scopes at once one gets them, and nobody waits in a ring", async () => {
      const stores = [world.store, await world.openAnother(), await world.openAnother()];
      const outcomes = await Promise.all(
        Array.from({ length: 9 }, (_, n) =>
          stores[n % 3]?.acquireLease(request(`r${n}`, ...(n % 2 === 0 ? ["x", "y", "z"] : ["z", "y", "w"]))),
        ),
      );
      expect(outcomes.filter((each) => each?.ok === true)).toHaveLength(1);
    });

    test("the lease of a dead process is free at once, and what it still writes is refused once it was taken over", async () => {
      const dying = await world.openAnother();
      const lease = await begin(dying, planOf(), "r1");
      const scope = "environment/shop/prod";
      expect(await world.store.acquireLease(request("r1", scope))).toMatchObject({ ok: false, run: "r1" });
      await world.crash(dying);
      const outcome = await world.store.acquireLease(request("r1", "another", scope));
      if (!outcome.ok) throw new Error("the dead holder still has it");
      expect(outcome.lease.epoch).toBeGreaterThan(lease.epoch);
      const event = { kind: "finalised" } as const;
      expect(await problemCodes(world.store.appendEvent("r1", lease, AT, event))).toEqual(["fence_lost"]);
      expect(await problemCodes(world.store.recordIntent("r1", lease, 1, "d"))).toEqual(["fence_lost"]);
      expect(await world.store.appendEvent("r1", outcome.lease, AT, event)).toMatchObject({ seq: 2 });
    });

    test("taking one scope of a dead holder ends its whole lease", async () => {
      const dying = await world.openAnother();
      const outcome = await dying.acquireLease(request("r1", "a", "b"));
      if (!outcome.ok) throw new Error("not free");
      await world.crash(dying);
      await take("r2", "a");
      expect(await world.store.acquireLease(request("r3", "b"))).toMatchObject({ ok: true });
      const late = world.store.appendEvent("r1", outcome.lease, AT, { kind: "finalised" });
      expect(await problemCodes(late)).toEqual(["fence_lost"]);
    });

    test("a released lease writes nothing more", async () => {
      const lease = await begin(world.store, planOf(), "r1");
      await world.store.releaseLease(lease);
      const late = world.store.appendEvent("r1", lease, AT, { kind: "finalised" });
      expect(await problemCodes(late)).toEqual(["fence_lost"]);
    });
  });
}
