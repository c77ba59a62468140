import type { PlanTarget } from "../core/plan/plan.ts";
import { environmentAfter } from "../evaluator/finalise.ts";
import { versionsAfter } from "../evaluator/record-versions.ts";
import type { Intent, Lease } from "../ports/state-store.ts";
import type { EnvironmentMarker } from "../ports/warehouse.ts";
import { findPlan } from "./find-plan.ts";
import type { Services } from "./services.ts";

interface MarkerReader {
  readonly readEnvironmentMarker: (project: string, environment: string) => Promise<EnvironmentMarker | null>;
}

/**
 * A run may have died between its promotion and the record of it in state. The warehouse knows: its marker is there.
 * @returns the intent that came true, or null when there was none or it never happened.
 */
export async function findPromoted(
  services: Pick<Services, "state">,
  target: Pick<PlanTarget, "project" | "environment">,
  warehouse: MarkerReader,
): Promise<Intent | null> {
  const intent = await services.state.readIntent(target.project, target.environment);
  if (intent === null) return null;
  const marker = await warehouse.readEnvironmentMarker(target.project, target.environment);
  const cameTrue = marker !== null && marker.promotion === intent.promotion && marker.digest === intent.digest;
  return cameTrue ? intent : null;
}

/**
 * State catches up with a promotion whose run is dead; done by whoever holds the environment's lease next. Fills that
 * were still to come count as not done, so that the next plan does them.
 */
export async function settleIntent(
  services: Pick<Services, "state" | "clock">,
  intent: Intent,
  lease: Lease,
): Promise<void> {
  const { state, clock } = services;
  const { plan } = await findPlan(services, intent.planId);
  const at = clock.now();
  const versions = versionsAfter(plan, await actionsDone(services, intent.run));
  await state.finalise({ run: intent.run, lease, plan, environment: environmentAfter(plan, at), versions, at });
}

const PAGE = 1_000;

/** Actions that a run's journal has as done. */
export async function actionsDone(services: Pick<Services, "state">, run: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  for (let after = 0; ; ) {
    const events = await services.state.readEvents(run, after, PAGE);
    for (const { event } of events) if (event.kind === "action_done") done.add(event.action);
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return done;
    after = last.seq;
  }
}
