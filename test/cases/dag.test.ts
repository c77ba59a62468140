import { describe, expect } from "vitest";
import { expectOnlyReads } from "./sent-log.ts";
import { type Files, model, refusal, test } from "./world.ts";

describe("models that read each other", () => {
  test("B17: a loop is told as the loop, and nothing else is named", async ({ world }) => {
    const others = Array.from({ length: 50 }, (_, index) => model(`shop.other${index}`, "kind VIEW", "SELECT 1 AS id"));
    const files: Files = Object.assign({}, ...others);
    world.write({
      ...files,
      ...model("shop.a", "kind VIEW", "SELECT id FROM shop.b"),
      ...model("shop.b", "kind VIEW", "SELECT id FROM shop.c"),
      ...model("shop.c", "kind VIEW", "SELECT id FROM shop.a"),
      ...model("shop.d", "kind VIEW", "SELECT id FROM shop.c"),
    });
    expect(await refusal(world.plan())).toBe(
      "models/a.sql:3:16: Models read each other in a circle: shop.a -> shop.b -> shop.c -> shop.a. Break it at one of them.",
    );
    expect(world.sent()).toEqual([]);
  });

  test("B19: a model that was renamed but is still read stops the plan, though its view still exists", async ({
    world,
  }) => {
    world.write({
      ...model("shop.inc", "kind FULL", "SELECT 1 AS id"),
      ...model("shop.full", "kind FULL", "SELECT id FROM shop.inc"),
    });
    await world.apply();
    world.write({ "models/inc.sql": "MODEL (name shop.inc2, kind FULL);\n\nSELECT 1 AS id" });
    const sent = world.sent().length;
    expect(await refusal(world.plan())).toBe(
      "models/full.sql:3:16: shop.inc was removed but is read by shop.full. Change the reference, or keep the model.",
    );
    expectOnlyReads(world.sent().slice(sent));

    world.write(model("shop.full", "kind FULL", "SELECT id FROM shop.inc2"));
    const { view } = await world.apply({ hazards: ["view_dropped shop.inc"] });
    expect(view.changes.map(({ model, mark }) => `${mark} ${model}`)).toEqual([
      "replace shop.full",
      "drop shop.inc",
      "create shop.inc2",
    ]);
    expect(view.actions.at(-1)?.title).toBe("drop view shop.inc");
  });

  test("B28: a view over a table that got a new version reads the new one; a materialized view is rebuilt and says why", async ({
    world,
  }) => {
    world.write({
      ...model("shop.a", "kind FULL", "SELECT 1 AS id"),
      ...model("shop.b", "kind VIEW", "SELECT id FROM shop.a"),
      ...model("shop.m", "kind VIEW (materialized true)", "SELECT id FROM shop.a"),
    });
    await world.apply();
    const old = await world.physical("shop.a");
    world.write(model("shop.a", "kind FULL", "SELECT 1 AS id, 2 AS extra"));
    const { view } = await world.apply();
    const fresh = await world.physical("shop.a");
    expect(fresh).not.toBe(old);
    for (const name of ["shop.b", "shop.m"]) {
      const [row] = await world.sql<{ definition: string }>("SELECT pg_get_viewdef($1::regclass) AS definition", [
        await world.physical(name),
      ]);
      expect(row?.definition).toContain(fresh.split('"')[3]);
    }
    expect(view.changes.find((each) => each.model === "shop.m")?.reasons).toEqual(["reads shop.a, which is rebuilt"]);
    // The retained versions of b and m hang on the old table; nothing that is served does.
    await world.sql(`DROP TABLE ${old} CASCADE`);
    expect(
      await world.sql("SELECT shop.b.id FROM shop.b JOIN shop.m ON b.id = m.id JOIN shop.a ON a.id = b.id"),
    ).toEqual([{ id: 1 }]);
  });
});
