import { afterEach, expect, test } from "vitest";
import { slowProject } from "./slow-project.ts";
import {
  applyHere,
  approve,
  createWorld,
  type Driver,
  planAndApply,
  planOf,
  startDriver,
  until,
  type World,
  whenFree,
} from "./world.ts";

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.drop();
});

/** A plan, approved, whose fill waits for as long as somebody holds src.gate, or sleeps as long as src.pause says. */
async function slowWorld(name: string): Promise<{ world: World; planId: string }> {
  const world = await createWorld(name);
  worlds.push(world);
  for (const statement of slowProject.outside) await world.query(statement);
  const services = await world.services();
  try {
    await world.write(slowProject.before);
    await planAndApply(services, world.place);
    await world.write(slowProject.after);
    const planned = await planOf(services, world.place);
    await approve(services, planned);
    return { world, planId: planned.plan.id };
  } finally {
    await services.close();
  }
}

const DOUBLED = [
  { id: 1, doubled: 2 },
  { id: 2, doubled: 4 },
];

async function rowsOf(world: World): Promise<unknown> {
  return world.query("SELECT * FROM shop.slow ORDER BY id");
}

function start(world: World, planId: string): Driver {
  const driver = startDriver();
  const { database, folder } = world;
  driver.start({ database, folder, planId, resume: true, patienceMs: 20_000, killAt: 0, every: false });
  return driver;
}

/** The server is at work on the fill. */
function filling(world: World, state: "waiting" | "sleeping"): Promise<number> {
  const event = state === "waiting" ? "wait_event_type = 'Lock'" : "wait_event = 'PgSleep'";
  return until(async () => {
    const rows = await world.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'weir' AND query LIKE '%INSERT INTO%' AND ${event}`,
    );
    return rows[0]?.pid ?? null;
  });
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s during a long fill ends the server's query within seconds, and resuming completes the run",
  async (signal) => {
    const { world, planId } = await slowWorld("interrupt");
    await world.query("UPDATE src.pause SET seconds = 600");
    const driver = start(world, planId);
    const pid = await filling(world, "sleeping");
    const began = performance.now();
    driver.kill(signal);
    await until(async () => {
      const busy = await world.query("SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'active'", [pid]);
      return busy.length === 0 ? true : null;
    });
    expect(performance.now() - began).toBeLessThan(5_000);
    const outcome = await driver.outcome;
    expect(outcome?.problems?.map((each) => each.code)).toEqual(["run_interrupted"]);
    const states = () =>
      world.query(
        "SELECT p.state AS plan, r.state AS run FROM weir.plans p JOIN weir.runs r ON r.plan_id = p.id WHERE p.id = $1",
        [planId],
      );
    expect(await states()).toEqual([{ plan: "applying", run: "interrupted" }]);

    await world.query("UPDATE src.pause SET seconds = 0");
    const services = await world.services();
    try {
      // Not asked for: a run that was stopped is gone on with by applying again.
      await whenFree(() => applyHere(services, world.place, planId));
    } finally {
      await services.close();
    }
    expect(await states()).toEqual([{ plan: "applied", run: "applied" }]);
    expect(await rowsOf(world)).toEqual(DOUBLED);
  },
);

test("a process that is stopped in its tracks and goes on after it was taken over ends with fence_lost and writes nothing more", async () => {
  const { world, planId } = await slowWorld("takeover");
  const gate = await world.connect("gate");
  await gate.query("BEGIN; LOCK TABLE src.orders");
  const driver = start(world, planId);
  const pid = await filling(world, "waiting");
  driver.kill("SIGSTOP");
  // As when its host is given up on: the session that its lease hangs on ends, and nothing else of it does.
  await world.query(
    `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
      WHERE a.datname = current_database() AND a.application_name = 'weir state'
        AND EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory')`,
  );
  const services = await world.services();
  try {
    const resumed = whenFree(() => applyHere(services, world.place, planId, { resume: true }));
    await until(async () => ((await filling(world, "waiting")) === pid ? null : true));
    await gate.query("COMMIT");
    await resumed;
    const written = () =>
      world.query(
        `SELECT (SELECT max(seq) FROM weir.run_events) AS seq, (SELECT count(*) FROM weir.version_history) AS versions,
                (SELECT count(*) FROM weir.plan_events) AS plans, (SELECT count(*) FROM weir_internal.batch_marker) AS markers,
                (SELECT string_agg(state || coalesce(stage, ''), ',') FROM weir.runs) AS runs,
                (SELECT count(*) FROM side.log) AS log`,
      );
    const before = await written();
    driver.kill("SIGCONT");
    const outcome = await driver.outcome;
    expect(outcome?.problems?.map((each) => each.code)).toEqual(["fence_lost"]);
    expect(await written()).toEqual(before);
    expect(await rowsOf(world)).toEqual(DOUBLED);
    expect(await world.query("SELECT label FROM side.log ORDER BY 1")).toEqual([
      { label: "slow post" },
      { label: "slow post" },
    ]);
  } finally {
    driver.kill("SIGKILL");
    await gate.end();
    await services.close();
  }
});

test("of two applies of one plan that start together one is refused before its first write, and told who was first", async () => {
  const { world, planId } = await slowWorld("twice");
  const gate = await world.connect("gate");
  await gate.query("BEGIN; LOCK TABLE src.orders");
  const drivers = [start(world, planId), start(world, planId)];
  const outcomes = drivers.map((driver) => driver.outcome);
  const refused = await Promise.race(outcomes);
  expect(refused?.problems).toMatchObject([{ code: "environment_held", by: `crash driver applying plan ${planId}` }]);
  const runs = await world.query("SELECT state FROM weir.runs WHERE plan_id = $1", [planId]);
  expect(runs).toEqual([{ state: "running" }]);
  await filling(world, "waiting");
  await gate.query("COMMIT");
  await gate.end();
  const ends = (await Promise.all(outcomes)).map((outcome) => outcome?.message === null);
  expect(ends.filter((done) => done)).toHaveLength(1);
  const started = await world.query(
    "SELECT count(*)::int AS n FROM weir.run_events e JOIN weir.runs r ON r.id = e.run WHERE r.plan_id = $1 AND kind = 'run_started'",
    [planId],
  );
  expect(started).toEqual([{ n: 1 }]);
  expect(await rowsOf(world)).toEqual(DOUBLED);
});

test("of two plans of one environment that are started together one is refused, and stale once the other is applied", async () => {
  const { world, planId } = await slowWorld("two");
  const services = await world.services();
  const gate = await world.connect("gate");
  try {
    await world.write(slowProject.other);
    const other = await planOf(services, world.place, "bob");
    await approve(services, other);
    await gate.query("BEGIN; LOCK TABLE src.orders");
    const first = start(world, planId);
    await filling(world, "waiting");
    const second = start(world, other.plan.id);
    expect((await second.outcome)?.problems).toMatchObject([
      { code: "environment_held", environment: "prod", by: `crash driver applying plan ${planId}` },
    ]);
    expect(await world.query("SELECT FROM weir.runs WHERE plan_id = $1", [other.plan.id])).toEqual([]);
    await gate.query("COMMIT");
    expect((await first.outcome)?.message).toBeNull();
    const late = start(world, other.plan.id);
    expect((await late.outcome)?.problems?.map((each) => each.code)).toEqual(["plan_stale"]);
    expect((await services.state.findPlan(other.plan.id))?.state).toBe("stale");
  } finally {
    await gate.end();
    await services.close();
  }
});

test("what a killed run of another plan leaves behind is closed by the next, and its versions are used", async () => {
  const { world, planId } = await slowWorld("abandoned");
  const services = await world.services();
  const gate = await world.connect("gate");
  try {
    await gate.query("BEGIN; LOCK TABLE src.orders");
    const driver = start(world, planId);
    await filling(world, "waiting");
    driver.kill("SIGKILL");
    await driver.outcome;
    await gate.query("COMMIT");
    await world.write(slowProject.other);
    const report = await whenFree(() => planAndApply(services, world.place));
    expect(report?.run.state).toBe("applied");
    expect((await services.state.findPlan(planId))?.state).toBe("failed");
    const [run] = await services.state.listRuns({ planId, environment: null, limit: 1 });
    expect(run?.state).toBe("interrupted");
    const events = await services.state.readEvents(run?.id ?? "", 0, 1_000);
    expect(events.at(-1)?.event).toMatchObject({ kind: "run_ended", state: "interrupted" });
    expect(events.map((each) => each.seq)).toEqual(events.map((_, index) => index + 1));

    await world.write(slowProject.after);
    await planAndApply(services, world.place);
    expect(await rowsOf(world)).toEqual(DOUBLED);
  } finally {
    await gate.end();
    await services.close();
  }
});
