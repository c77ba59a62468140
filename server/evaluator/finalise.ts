import type { Environment } from "../core/environment/environment.ts";
import type { Plan } from "../core/plan/plan.ts";
import { appliedLine } from "../core/review/applied-line.ts";
import { summarise } from "../core/review/summary-line.ts";
import type { Evaluation } from "./evaluation.ts";
import { versionsAfter } from "./record-versions.ts";

/**
 * State catches up with what readers see already: one transaction, after which the plan is applied and the run over.
 *
 * @returns the run's last line
 */
export async function finalise(evaluation: Evaluation): Promise<string> {
  const { plan, run, lease, state, journal, clock, progress, startedAt } = evaluation;
  const at = clock.now();
  const line = appliedLine(summarise(plan.effects, "applicable"), Date.parse(at) - startedAt);
  const events = await state.finalise({
    run: run.id,
    lease,
    plan,
    environment: environmentAfter(plan, at),
    versions: versionsAfter(plan, progress.done),
    at,
    events: [
      { kind: "finalised" },
      { kind: "stage_done", stage: "finalise" },
      { kind: "run_ended", state: "applied", problems: [], line },
    ],
  });
  journal.show(events);
  return line;
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
