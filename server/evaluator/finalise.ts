import type { Environment } from "../core/environment/environment.ts";
import type { Plan } from "../core/plan/plan.ts";
import type { Evaluation } from "./evaluation.ts";
import { versionsAfter } from "./record-versions.ts";

/** State catches up with what readers see already: one transaction, after which the plan is applied. */
export async function finalise(evaluation: Evaluation): Promise<void> {
  const { plan, run, lease, state, journal, clock } = evaluation;
  const at = clock.now();
  const done = new Set(plan.effects.actions.map((action) => action.id));
  await state.finalise({
    run: run.id,
    lease,
    plan,
    environment: environmentAfter(plan, at),
    versions: versionsAfter(plan, done),
    at,
  });
  await journal.write({ kind: "finalised" });
}

export function environmentAfter(plan: Plan, at: string): Environment {
  const { target, promotion } = plan.effects;
  return {
    project: target.project,
    name: target.environment,
    promotion: target.promotion + 1,
    planId: plan.id,
    promotedAt: at,
    models: promotion,
  };
}
