import { afterEach, beforeEach } from "vitest";
import type { KnownVersion, PromotedModel } from "../../server/core/environment/environment.ts";
import type { Plan } from "../../server/core/plan/plan.ts";
import type { Lease, StateStore } from "../../server/ports/state-store.ts";
import { describeEnvironments } from "./environment-contract.ts";
import { describeJobs } from "./job-contract.ts";
import { describeLeases } from "./lease-contract.ts";
import { describePlans } from "./plan-contract.ts";
import { describeRuns } from "./run-contract.ts";
import { AT, decisionOn, environmentOf } from "./state-values.ts";

/** How to get at one implementation: an empty state for each test, opened by as many as the test needs. */
export interface StateHarness {
  readonly reset: () => Promise<void>;
  readonly open: () => Promise<StateStore>;
  /** Ends the sessions of a store as the death of its process would. */
  readonly crash: (store: StateStore) => Promise<void>;
}

export interface StateWorld {
  /** The store that most of a test is about. */
  readonly store: StateStore;
  /** As another process. */
  readonly openAnother: () => Promise<StateStore>;
  readonly crash: (store: StateStore) => Promise<void>;
}

/** What every state store must do; run against the one in memory and the one on Postgres. */
export function describeStateStore(harness: StateHarness): void {
  const opened: StateStore[] = [];
  let first: StateStore | null = null;
  const open = async (): Promise<StateStore> => {
    const store = await harness.open();
    opened.push(store);
    return store;
  };
  const world: StateWorld = {
    get store() {
      if (first === null) throw new Error("no store is open outside a test");
      return first;
    },
    openAnother: open,
    crash: harness.crash,
  };
  beforeEach(async () => {
    await harness.reset();
    first = await open();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    first = null;
  });
  describeEnvironments(world);
  describePlans(world);
  describeRuns(world);
  describeLeases(world);
  describeJobs(world);
}

/** Takes a plan all the way to being applied, as an evaluator would. */
export async function applyWhole(
  store: StateStore,
  plan: Plan,
  models: readonly PromotedModel[],
  versions: readonly KnownVersion[],
): Promise<void> {
  const lease = await begin(store, plan, `r_${plan.id}`);
  const environment = environmentOf(plan, models);
  await store.finalise({ run: lease.run, lease, plan, environment, versions, at: AT });
  await store.releaseLease(lease);
}

/** Saved, approved, started, leased. */
export async function begin(store: StateStore, plan: Plan, run: string): Promise<Lease> {
  await store.savePlan(plan);
  await store.decide(decisionOn(plan));
  const { project, environment } = plan.effects.target;
  const outcome = await store.acquireLease({ scopes: [`environment/${project}/${environment}`], holder: "test", run });
  if (!outcome.ok) throw new Error(`the lease is held by ${outcome.holder}`);
  const started = await store.startRun({ id: run, plan, by: "ilse", at: AT });
  if (started === null) throw new Error("the run didn't start");
  return outcome.lease;
}
