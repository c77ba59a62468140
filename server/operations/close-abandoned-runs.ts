import type { Plan } from "../core/plan/plan.ts";
import type { Lease } from "../ports/state-store.ts";
import type { Services } from "./services.ts";

/**
 * We hold the environment, so whatever else claims to be applying in it is dead or was stopped; what it has built is on
 * record. From now on it would only find that the environment has moved.
 */
export async function closeAbandonedRuns(
  services: Pick<Services, "state" | "clock">,
  plan: Plan,
  lease: Lease,
): Promise<void> {
  const { state, clock } = services;
  const { project, environment } = plan.effects.target;
  const applying = await state.listPlans({ project, environment, states: ["applying"], limit: 100 });
  for (const other of applying) {
    if (other.plan.id === plan.id) continue;
    const at = clock.now();
    for (const run of await state.listRuns({ planId: other.plan.id, environment: null, limit: 1 })) {
      if (run.endedAt !== null) continue;
      const line = `Its process ended without a word; plan ${plan.id} came after it.`;
      await state.appendEvent(run.id, lease, at, { kind: "run_ended", state: "interrupted", problems: [], line });
      await state.setRun(run.id, { state: "interrupted", endedAt: at });
    }
    const reason = `its run never ended; plan ${plan.id} came after it`;
    await state.movePlan(other.plan.id, ["applying"], "failed", { by: "weir", at, reason, moved: [] });
  }
}
