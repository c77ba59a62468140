import { afterEach, beforeEach } from "vitest";
import type { StateStore } from "../../server/ports/state-store.ts";
import { describeEnvironments } from "./environment-contract.ts";
import { describeJobs } from "./job-contract.ts";
import { describeLeases } from "./lease-contract.ts";
import { describePlans } from "./plan-contract.ts";
import { describeRuns } from "./run-contract.ts";
import type { StateWorld } from "./state-world.ts";

/** How to get at one implementation: an empty state for each test, opened by as many as the test needs. */
export interface StateHarness {
  readonly reset: () => Promise<void>;
  readonly open: () => Promise<StateStore>;
  /** Ends the sessions of a store as the death of its process would. */
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
