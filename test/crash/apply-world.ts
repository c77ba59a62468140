import type { Plan } from "../../server/core/plan/plan.ts";
import type { RunHappening } from "../../server/core/stage/run.ts";
import type { ProjectFiles } from "./crash-project.ts";
import { type EndState, readEndState, readServed, type Served } from "./read-end-state.ts";
import {
  type ApplyOptions,
  applyHere,
  approve,
  codesOf,
  createWorld,
  dropDatabase,
  planAndApply,
  planOf,
  restoreDatabase,
  saveDatabase,
  type World,
} from "./world.ts";

/** A database that is put back to the moment before one apply as often as it is asked for. */
export interface ApplyWorld {
  readonly world: World;
  readonly plan: Plan;
  readonly old: Served;
  readonly fresh: Served;
  readonly whole: EndState;
  readonly restore: () => Promise<void>;
  readonly apply: (options?: ApplyOptions & { readonly planId?: string }) => Promise<Applied>;
  readonly drop: () => Promise<void>;
}

export interface Applied {
  readonly events: readonly RunHappening[];
  /** Of the problems it ended with. */
  readonly codes: readonly string[];
  /** Null where it was applied. */
  readonly message: string | null;
}

export async function createApplyWorld(name: string, before: ProjectFiles, after: ProjectFiles): Promise<ApplyWorld> {
  const world = await createWorld(name);
  const plan = await prepare(world, before, after);
  const apply = (options: ApplyOptions & { readonly planId?: string } = {}) =>
    applyIn(world, options.planId ?? plan.id, options);
  const restore = () => restoreDatabase(world.database);
  const drop = async (): Promise<void> => {
    await world.drop();
    await dropDatabase(`${world.database}_saved`);
  };
  const old = await readServed(world);
  await saveDatabase(world.database);
  const { message } = await apply();
  if (message !== null) throw new Error(`not applied: ${message}`);
  const [whole, fresh] = [await readEndState(world), await readServed(world)];
  await restore();
  return { world, plan, old, fresh, whole, restore, apply, drop };
}

async function prepare(world: World, before: ProjectFiles, after: ProjectFiles): Promise<Plan> {
  const services = await world.services();
  try {
    await world.write(before);
    await planAndApply(services, world.place);
    await world.write(after);
    const planned = await planOf(services, world.place);
    await approve(services, planned);
    return planned.plan;
  } finally {
    await services.close();
  }
}

async function applyIn(world: World, planId: string, options: ApplyOptions): Promise<Applied> {
  const services = await world.services();
  const events: RunHappening[] = [];
  const onEvent = (event: RunHappening): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  try {
    await applyHere(services, world.place, planId, { ...options, onEvent });
    return { events, codes: [], message: null };
  } catch (error) {
    return { events, codes: codesOf(error), message: String(error) };
  } finally {
    await services.close();
  }
}
