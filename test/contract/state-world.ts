import type { KnownVersion, PromotedModel } from "../../server/core/environment/environment.ts";
import type { Plan } from "../../server/core/plan/plan.ts";
import type { Lease, StateStore } from "../../server/ports/state-store.ts";
import { AT, decisionOn, environmentOf } from "./state-values.ts";

export interface StateWorld {
  /** The store that most of a test is about. */
  readonly store: StateStore;
  /** As another process. */
  readonly openAnother: () => Promise<StateStore>;
  readonly crash: (store: StateStore) => Promise<void>;
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
  await store.finalise({ run: lease.run, lease, plan, environment, versions, at: AT, events: [] });
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
