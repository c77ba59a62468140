import { describe, expect, test } from "vitest";
import { hashText } from "../../server/core/base/hash.ts";
import { planOf, promotedOf, snapshotOf, versionOf } from "./state-values.ts";
import { applyWhole, type StateWorld } from "./state-world.ts";

export function describeEnvironments(world: StateWorld): void {
  describe("environments", () => {
    test("an unknown environment reads as empty, never promoted", async () => {
      const facts = await world.store.readStateFacts("shop", "dev", ["shop.a"]);
      expect(facts.environment).toEqual({
        project: "shop",
        name: "dev",
        promotion: 0,
        planId: null,
        promotedAt: null,
        models: [],
      });
      expect(facts).toMatchObject({ prod: null, others: [], versions: [] });
      expect(facts.snapshots.size).toBe(0);
    });

    test("facts hold the environment, prod, the others, their snapshots and the versions of all models asked or served", async () => {
      const a = snapshotOf("a");
      const old = snapshotOf("gone");
      const first = planOf({ effects: { snapshots: [a, old] } });
      const served = [promotedOf("a", "v1", a), promotedOf("gone", "v1", old)];
      await applyWhole(world.store, first, served, [versionOf("a", "v1"), versionOf("gone", "v1")]);
      const b = snapshotOf("b");
      const second = planOf({ target: { environment: "dev", submission: 2 }, effects: { snapshots: [b] } });
      await applyWhole(world.store, second, [promotedOf("b", "v1", b)], [versionOf("b", "v1")]);
      const foreign = planOf({ target: { project: "other", submission: 3 } });
      await applyWhole(world.store, foreign, [], []);

      const facts = await world.store.readStateFacts("shop", "dev", ["shop.a"]);
      expect(facts.environment).toMatchObject({ name: "dev", promotion: 1, planId: second.id });
      expect(facts.prod).toMatchObject({ name: "prod", promotion: 1, planId: first.id, models: served });
      expect(facts.others.map((each) => `${each.project}/${each.name}`)).toEqual(["other/prod"]);
      expect([...facts.snapshots.keys()].sort()).toEqual([a.id, b.id, old.id].sort());
      expect(facts.snapshots.get(a.id)).toEqual(a);
      expect(facts.versions.map((each) => each.model).sort()).toEqual(["shop.a", "shop.b", "shop.gone"]);

      const ofProd = await world.store.readStateFacts("shop", "prod", []);
      expect(ofProd.prod).toBeNull();
      expect(ofProd.others.map((each) => `${each.project}/${each.name}`)).toEqual(["other/prod", "shop/dev"]);
      expect(await world.store.listEnvironments("shop")).toHaveLength(2);
      expect((await world.store.listEnvironments(null)).map((each) => each.project)).toEqual(["other", "shop", "shop"]);
    });

    test("who uses a version is computed from environments: prod owns it if it serves it, else the oldest that does", async () => {
      const version = versionOf("a", "v1", { owner: "nobody", usedBy: ["nobody"] });
      await applyWhole(world.store, planOf({ target: { environment: "zoe" } }), [promotedOf("a", "v1")], [version]);
      await applyWhole(world.store, planOf({ target: { environment: "adam" } }), [promotedOf("a", "v1")], []);
      expect(await world.store.readVersions("shop", ["shop.a"])).toEqual([
        { ...version, owner: "zoe", usedBy: ["adam", "zoe"] },
      ]);
      await applyWhole(world.store, planOf(), [promotedOf("a", "v1")], []);
      expect(await world.store.readVersions("shop", ["shop.a"])).toMatchObject([
        { owner: "prod", usedBy: ["adam", "prod", "zoe"] },
      ]);
      await applyWhole(world.store, planOf({ target: { promotion: 1, submission: 2 } }), [promotedOf("a", "v2")], []);
      expect(await world.store.readVersions("shop", ["shop.a"])).toMatchObject([{ owner: "zoe" }]);
      expect(await world.store.readVersions("other", ["shop.a"])).toEqual([]);
    });

    test("one version may be known under several keys, and several versions under one", async () => {
      const one = versionOf("a", "v1");
      const kept = { ...one, lookupKey: hashText("another key") };
      const second = versionOf("a", "v2", { lookupKey: one.lookupKey });
      await applyWhole(world.store, planOf(), [], [one, kept, second]);
      const found = await world.store.readVersions("shop", ["shop.a"]);
      expect(found.map((each) => [each.lookupKey, each.version])).toEqual([
        [one.lookupKey, "v1"],
        [kept.lookupKey, "v1"],
        [one.lookupKey, "v2"],
      ]);
    });

    test("artefacts come back by content, with NULL cells and awkward texts", async () => {
      const rows = {
        columns: ["id", "Übung"],
        rows: [
          ["1", null],
          ["2", 'a"b\\c\n\u2028'],
        ],
      };
      const hash = hashText("rows");
      await world.store.saveArtefact(hash, rows);
      await world.store.saveArtefact(hash, rows);
      expect(await world.store.readArtefact(hash)).toEqual(rows);
      expect(await world.store.readArtefact(hashText("none"))).toBeNull();
    });

    test("snapshots that state doesn't have are left out", async () => {
      const a = snapshotOf("a");
      await applyWhole(world.store, planOf({ effects: { snapshots: [a] } }), [], []);
      const found = await world.store.readSnapshots([a.id, hashText("none"), a.id]);
      expect([...found]).toEqual([[a.id, a]]);
    });
  });
}
