import { describe, expect } from "vitest";
import { verbOf } from "./sent-log.ts";
import { model, refusal, test, type World } from "./world.ts";

const chain = {
  ...model("shop.p", "kind VIEW", "SELECT 1 AS id, 2 AS extra"),
  ...model("shop.q", "kind VIEW", "SELECT id FROM shop.p"),
  ...model("shop.r", "kind FULL", "SELECT id FROM shop.q"),
};

describe("what is carried out", () => {
  test("B45: the plan lists what will run, with reason and reversibility, and the journal has it done in that order", async ({
    world,
  }) => {
    world.write(chain);
    await world.apply();
    world.write(model("shop.p", "kind VIEW", "SELECT 2 AS extra, 1 AS id"));
    const done: string[] = [];
    const { view } = await world.apply({
      hazards: ["view_recreated shop.p"],
      onEvent: ({ event }) => {
        if (event.kind === "action_done") done.push(event.action);
      },
    });
    expect(done).toEqual(view.actions.map((action) => action.id));
    expect(view.actions.map((action) => action.title.replace(/__[a-z2-7]{10}$/, "__V"))).toEqual([
      "create view sqlmesh__shop.shop__p__V",
      "create view sqlmesh__shop.shop__q__V",
      "create table sqlmesh__shop.shop__r__V",
      "fill table sqlmesh__shop.shop__r__V",
      "analyze table sqlmesh__shop.shop__r__V",
      "drop and create view shop.p",
      "point view elsewhere: shop.q",
      "point view elsewhere: shop.r",
    ]);
    expect(view.actions.map(({ because, reversible }) => ({ because, reversible }))).toEqual(
      view.actions.map(() => ({ because: "shop.p", reversible: true })),
    );
  });

  test("B45: a plan whose ground another plan has changed is stale, and says what moved", async ({ world }) => {
    world.write(chain);
    await world.apply();
    world.write(model("shop.q", "kind VIEW", "SELECT id FROM shop.p WHERE id > 0"));
    const first = await world.plan({ author: "ann" });
    world.write(model("shop.q", "kind VIEW", "SELECT id FROM shop.p WHERE id > 1"));
    const second = await world.plan({ author: "bob" });
    await world.carryOut(second);
    const sent = world.sent().length;
    const { promotedAt } = await world.environment();
    expect(await refusal(world.carryOut(first))).toBe(
      `Plan ${first.plan.id} is stale, nothing was changed. Since it was made these moved: environment marker: promotion 2 instead of 1; environment:prod (promoted by ben with plan ${second.plan.id}, ${promotedAt}); relation:shop.q; relation:shop.r; snapshot:shop.q; snapshot:shop.r. Plan again.`,
    );
    expect(
      world
        .sent()
        .slice(sent)
        .filter(({ sql }) => /^(CREATE|ALTER|DROP|INSERT)$/.test(verbOf(sql)) && !sql.includes("weir_internal")),
    ).toEqual([]);
    expect(await world.sql("SELECT * FROM shop.q")).toEqual([]);
  });

  test("B53: a view that is missing at the end makes the run fail and is named; the next plan puts it back", async ({
    world,
  }) => {
    world.write(chain);
    await world.apply();
    await world.sql(`
      CREATE FUNCTION public.drop_p() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'shop.q') THEN DROP VIEW shop.p; END IF; END $$;
      CREATE EVENT TRIGGER drop_p ON ddl_command_end WHEN TAG IN ('CREATE VIEW') EXECUTE FUNCTION public.drop_p()`);
    world.write(model("shop.q", "kind VIEW", "SELECT id FROM shop.p WHERE id > 0"));
    expect(await refusal(world.carryOut(await world.plan()))).toBe(
      "After the promotion the catalog differs from the plan: shop.p is missing.",
    );
    const [run] = await world.services.state.listRuns({ planId: null, environment: null, limit: 1 });
    expect(run?.state).toBe("failed");
    await world.sql("DROP EVENT TRIGGER drop_p");
    expect(await exists(world)).toEqual([{ p: null, q: "shop.q", r: "shop.r" }]);
    const { view } = await world.apply();
    expect(view.changes.map(({ model, reasons }) => `${model}: ${reasons.join("; ")}`)).toEqual([
      "shop.p: the view shop.p is gone from the warehouse",
    ]);
    expect(await exists(world)).toEqual([{ p: "shop.p", q: "shop.q", r: "shop.r" }]);
  });
});

function exists(world: World): Promise<object[]> {
  return world.sql(
    "SELECT to_regclass('shop.p')::text AS p, to_regclass('shop.q')::text AS q, to_regclass('shop.r')::text AS r",
  );
}
