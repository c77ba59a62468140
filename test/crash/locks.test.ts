import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ApplyWorld, createApplyWorld } from "./apply-world.ts";
import { after, before } from "./crash-project.ts";
import { readEndState, readServed } from "./read-end-state.ts";
import { approve, endAdmin, planOf, until, type World } from "./world.ts";

let place: ApplyWorld;

beforeAll(async () => {
  place = await createApplyWorld("locks", before, after);
});

beforeEach(() => place.restore());

afterAll(async () => {
  await place.drop();
  await endAdmin();
});

test("a reader in the way of the promotion is waited for with short lock timeouts, named, and no other reader queues", async () => {
  const { world, whole, apply } = place;
  const reader = await world.connect("bi tool");
  const { rows } = await reader.query("SELECT pg_backend_pid() AS pid");
  const pid: number = rows[0].pid;
  await reader.query("BEGIN");
  await reader.query("SELECT * FROM shop.orders");
  let waits = 0;
  let slowest = 0;
  const other = await world.connect("other reader");
  const polling = async (): Promise<void> => {
    while (waits < 3) {
      const began = performance.now();
      await other.query("SELECT count(*) FROM shop.orders");
      slowest = Math.max(slowest, performance.now() - began);
    }
  };
  const polled = polling();
  const applied = await apply({
    onEvent: (event) => {
      if (event.kind !== "promotion_waiting") return;
      waits += 1;
      if (waits === 3) void reader.query("COMMIT");
    },
  });
  await polled;
  await reader.end();
  await other.end();
  expect(applied.message).toBeNull();
  const waiting = applied.events.filter((event) => event.kind === "promotion_waiting");
  expect(waiting.length).toBeGreaterThanOrEqual(3);
  expect(waiting[0]?.blockers.join()).toMatch(
    new RegExp(`pid ${pid} \\w+ "SELECT \\* FROM shop.orders" since \\d+ s, idle in its transaction`),
  );
  // The lock timeout is 250 ms; whoever queues behind us waits no longer, but for what a busy machine adds.
  expect(slowest).toBeLessThan(2_000);
  expect(await readEndState(world)).toEqual(whole);
});

test("when patience ends the promotion is given up whole, says who held it, and can be resumed", async () => {
  const { world, whole, old, apply, plan } = place;
  const reader = await world.connect("bi tool");
  await reader.query("BEGIN");
  await reader.query("SELECT * FROM shop.by_country");
  const applied = await apply({ patienceMs: 300 });
  expect(applied.codes).toEqual(["promotion_blocked"]);
  expect(applied.message).toContain("SELECT * FROM shop.by_country");
  expect(await readServed(world)).toEqual(old);
  const states = await world.query(
    "SELECT p.state AS plan, r.state AS run FROM weir.plans p JOIN weir.runs r ON r.plan_id = p.id WHERE p.id = $1",
    [plan.id],
  );
  expect(states).toEqual([{ plan: "failed", run: "failed" }]);
  expect((await apply()).codes).toEqual(["resume_needed"]);
  // Nothing but versions that were made is on record: what was to be altered wasn't, and planning back finds it as it was.
  expect(await ledgerActions(world)).toEqual([]);
  await reader.query("COMMIT");
  await reader.end();
  expect((await apply({ resume: true })).message).toBeNull();
  expect(await readEndState(world)).toEqual(whole);
});

test("a refresh that readers would have to wait for asks for its lock again and again, too", async () => {
  const { world, fresh, apply } = place;
  await world.query(`DROP INDEX ${await indexOf("ledger_sums")}`);
  const services = await world.services();
  let planId: string;
  try {
    const planned = await planOf(services, world.place, "bob");
    await approve(services, planned);
    planId = planned.plan.id;
  } finally {
    await services.close();
  }
  const reader = await world.connect("bi tool");
  await reader.query("BEGIN");
  try {
    let waits = 0;
    const applied = await apply({
      planId,
      onEvent: (event) => {
        if (event.kind === "stage_started" && event.stage === "fill_after")
          void reader.query("SELECT * FROM shop.ledger_sums");
        if (event.kind !== "promotion_waiting") return;
        waits += 1;
        if (waits === 2) void reader.query("COMMIT");
      },
    });
    expect(applied.message).toBeNull();
    expect(await readServed(world)).toEqual(fresh);
  } finally {
    await reader.end();
  }
});

async function ledgerActions(world: World): Promise<readonly string[]> {
  const services = await world.services();
  try {
    await world.write(before);
    const { plan } = await planOf(services, world.place, "bob");
    return plan.effects.actions.filter((action) => action.model === "shop.ledger").map((action) => action.kind);
  } finally {
    await world.write(after);
    await services.close();
  }
}

async function indexOf(model: string): Promise<string> {
  const [row] = await place.world.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, indexname) AS name FROM pg_indexes WHERE tablename LIKE '%' || $1 || '%'",
    [model],
  );
  return row?.name ?? "";
}

test("readers never get an error or an empty answer, and only what was or what is to be", async () => {
  const { world, old, fresh, apply } = place;
  const wrong: string[] = [];
  let reads = 0;
  let stop = false;
  const names = [
    "shop.orders",
    "shop.by_country",
    "shop.raw_orders",
    "shop.ledger",
    "shop.ledger_sums",
    "shop.countries",
    "shop.stats",
  ];
  const poll = async (): Promise<void> => {
    const client = await world.connect("dashboard");
    while (!stop) {
      for (const name of names) {
        try {
          const { rows } = await client.query(
            `SELECT coalesce(json_agg(t ORDER BY t::text)::text, '') AS all FROM ${name} AS t`,
          );
          const all: string = rows[0].all;
          if (all !== old[name] && all !== fresh[name]) wrong.push(`${name}: ${all}`);
        } catch (error) {
          wrong.push(`${name}: ${String(error)}`);
        }
        reads += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await client.end();
  };
  const polls = [poll(), poll()];
  const started = performance.now();
  const applied = await apply();
  await until(async () => (reads > 200 ? true : null));
  const seconds = (performance.now() - started) / 1000;
  stop = true;
  await Promise.all(polls);
  expect(applied.message).toBeNull();
  expect(wrong).toEqual([]);
  console.log(`${reads} reads in ${seconds.toFixed(1)} s`);
  expect(await readServed(world)).toEqual(fresh);
});
