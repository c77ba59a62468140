import { describe, expect } from "vitest";
import { expectOnlyReads } from "./sent-log.ts";
import { blockers, model, test } from "./world.ts";

describe("two projects with one state and one warehouse", () => {
  test("neither sees, plans, drops or takes what is the other's", async ({ open }) => {
    const one = await open({ name: "one", files: model("shop.a", "kind FULL", "SELECT 1 AS id") });
    const two = await open({
      name: "two",
      files: model("crm.b", "kind FULL", "SELECT 2 AS id"),
      warehouse: one,
      state: one,
    });
    await one.apply();
    const first = await two.apply();
    expect(first.view.changes.map((each) => each.model)).toEqual(["crm.b"]);
    expect((await one.plan()).view.result).toBe("empty");

    // Everything of one goes; nothing of two does.
    await two.apply({}, { environment: "dev" });
    one.write({ ...model("shop.c", "kind VIEW", "SELECT 3 AS id"), "models/a.sql": null });
    await one.apply({ hazards: ["view_dropped shop.a"] });
    expect((await two.plan()).view.result).toBe("empty");
    expect((await two.plan({ environment: "dev" })).view.result).toBe("empty");
    expect(await one.sql("SELECT id FROM crm.b UNION ALL SELECT id FROM crm__dev.b")).toEqual([{ id: 2 }, { id: 2 }]);
    const { state } = one.services;
    expect((await state.listEnvironments("one")).map((each) => each.name)).toEqual(["prod"]);
    expect((await state.listEnvironments("two")).map((each) => each.name)).toEqual(["dev", "prod"]);

    one.write(model("crm.b", "kind VIEW", "SELECT 4 AS id"));
    expect(blockers(await one.plan())).toEqual([
      "name_claimed: crm.b of crm.b is already served by two/prod crm.b. Rename the model, or remove it there first.",
    ]);
    expect(await one.sql("SELECT id FROM crm.b")).toEqual([{ id: 2 }]);
  });

  test("without names they are taken for another project's and blocked, unless somebody says it is meant so", async ({
    open,
  }) => {
    const one = await open({ files: model("shop.a", "kind FULL", "SELECT 1 AS id") });
    const two = await open({ files: model("crm.b", "kind FULL", "SELECT 2 AS id"), warehouse: one, state: one });
    await one.apply();
    const planned = await two.plan();
    expect(blockers(planned)).toEqual([
      'other_project: prod looks as if it belonged to another project: 1 of its 1 views would be removed. Set "project:" in the configuration, or plan with --replace-project.',
    ]);
    expectOnlyReads(two.sent());
    expect(await one.sql("SELECT id FROM shop.a")).toEqual([{ id: 1 }]);

    await two.apply({ hazards: ["environment_replaced shop.a", "view_dropped shop.a"] }, { replaceProject: true });
    expect(await one.sql("SELECT to_regclass('shop.a')::text AS a, to_regclass('crm.b')::text AS b")).toEqual([
      { a: null, b: "crm.b" },
    ]);
  });
});
