import { expect } from "vitest";
import type { Plan } from "../../server/core/plan/plan.ts";
import type { ProjectFiles } from "./crash-project.ts";
import type { DriverOutcome } from "./driver.ts";
import { expectApplied } from "./expect-applied.ts";
import { type EndState, readEndState, readServed, type Served } from "./read-end-state.ts";
import { statementsCommitted } from "./statements-committed.ts";
import {
  applyHere,
  approve,
  codesOf,
  createWorld,
  type Driver,
  dropDatabase,
  planAndApply,
  planOf,
  restoreDatabase,
  saveDatabase,
  startDriver,
  type World,
  whenFree,
} from "./world.ts";

export interface Walk {
  readonly name: string;
  /** Applied first; null for a warehouse that is empty but for what others have there. */
  readonly before: ProjectFiles | null;
  readonly after: ProjectFiles;
  /** Databases in which moments are walked at the same time. */
  readonly lanes: number;
  /** Also at moments that leave what the last one left. */
  readonly every: boolean;
}

export interface Walked {
  readonly moments: number;
  /** One line each; walking ends early when there are many. */
  readonly failures: readonly string[];
}

const MOST_FAILURES = 10;

/**
 * Applies one plan in a process that is killed, at every moment in turn, and goes on in one of two ways: by resuming,
 * or by planning the same files again. Whatever the moment, readers have what they had or what they were to get, and
 * the end is that of a run that nobody killed.
 */
export async function walkAllMoments(walk: Walk): Promise<Walked> {
  const lanes: Lane[] = [];
  const failures: string[] = [];
  const moments: string[] = [];
  try {
    for (let number = 1; number <= walk.lanes; number += 1) lanes.push(await openLane(walk, number));
    moments.push(...(lanes[0]?.moments ?? []));
    let last = 0;
    const work = async (lane: Lane): Promise<void> => {
      let next = startDriver();
      while (last < moments.length && failures.length < MOST_FAILURES) {
        last += 1;
        const killAt = last;
        const driver = next;
        next = startDriver();
        try {
          await walkOne(lane, driver, killAt, walk.every);
        } catch (error) {
          const what = error instanceof Error ? error.message : String(error);
          failures.push(`${killAt} of ${moments.length}, ${moments[killAt - 1]}: ${what}`);
        }
      }
      next.kill("SIGKILL");
      await next.outcome;
    };
    await Promise.all(lanes.map(work));
  } finally {
    for (const lane of lanes) {
      await lane.world.drop();
      await dropDatabase(`${lane.world.database}_saved`);
    }
  }
  return { moments: moments.length, failures };
}

/** A database as it is right before the apply, and what the apply makes of it when nobody kills it. */
interface Lane {
  readonly world: World;
  readonly plan: Plan;
  readonly old: Served;
  readonly fresh: Served;
  readonly whole: EndState;
  readonly moments: readonly string[];
}

async function openLane({ name, before, after, every }: Walk, number: number): Promise<Lane> {
  const world = await createWorld(`walk_${name}_${number}`);
  const plan = await prepare(world, before, after);
  const old = await readServed(world);
  await saveDatabase(world.database);
  const outcome = await drive(world, plan, startDriver(), 0, every);
  if (outcome === null || outcome.message !== null) throw new Error(`not applied: ${outcome?.message}`);
  await expectApplied(world, plan);
  const [whole, fresh] = [await readEndState(world), await readServed(world)];
  return { world, plan, old, fresh, whole, moments: outcome.passed };
}

async function prepare(world: World, before: ProjectFiles | null, after: ProjectFiles): Promise<Plan> {
  const services = await world.services();
  try {
    if (before !== null) {
      await world.write(before);
      await planAndApply(services, world.place);
    }
    await world.write(after);
    const planned = await planOf(services, world.place);
    await approve(services, planned);
    return planned.plan;
  } finally {
    await services.close();
  }
}

function drive(
  { database, folder }: World,
  plan: Plan,
  driver: Driver,
  killAt: number,
  every: boolean,
): Promise<DriverOutcome | null> {
  driver.start({ database, folder, planId: plan.id, resume: false, patienceMs: 20_000, killAt, every });
  return driver.outcome;
}

async function walkOne(lane: Lane, driver: Driver, killAt: number, every: boolean): Promise<void> {
  const { world, plan, old, fresh } = lane;
  await restoreDatabase(world.database);
  expect(await drive(world, plan, driver, killAt, every)).toBeNull();
  // One transaction switches all names, so that no reader ever sees some old and some new.
  expect([old, fresh]).toContainEqual(await readServed(world));
  if (killAt % 2 === 0) await resume(lane);
  else await planAgain(lane);
}

async function resume({ world, plan, whole }: Lane): Promise<void> {
  const services = await world.services();
  try {
    const resumed = whenFree(() => applyHere(services, world.place, plan.id, { resume: true }));
    const codes = await resumed.then(() => [], codesOf);
    // Killed after its last word there is nothing to resume, and that is said.
    expect([[], ["plan_not_open"]]).toContainEqual(codes);
    await expectApplied(world, plan);
    expect(await readEndState(world)).toEqual(whole);
  } finally {
    await services.close();
  }
}

/**
 * A statement of an author's goes with the making of its version. Where that was cut short, the new plan shows it again
 * and does it again, with the statement: each as often as a plan's run has committed it, and never not at all.
 */
async function planAgain({ world, plan, whole }: Lane): Promise<void> {
  const services = await world.services();
  try {
    const report = await whenFree(() => planAndApply(services, world.place));
    const last = await services.state.findPlan(report?.run.planId ?? plan.id);
    await expectApplied(world, last?.plan ?? plan);
    const first = await services.state.findPlan(plan.id);
    expect(["applied", "failed"]).toContain(first?.state);
    const end = await readEndState(world);
    expect(withoutLog(end)).toEqual(withoutLog(whole));
    expect(end.rows[LOG]).toEqual(await statementsCommitted(services, world));
    expect(new Set(end.rows[LOG])).toEqual(new Set(whole.rows[LOG]));
  } finally {
    await services.close();
  }
}

const LOG = "side.log";

function withoutLog(state: EndState): EndState {
  return { ...state, rows: { ...state.rows, [LOG]: [] } };
}
