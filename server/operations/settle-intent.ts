import type { PlanTarget } from "../core/plan/plan.ts";
import type { RunHappening } from "../core/stage/run.ts";
import { environmentAfter } from "../evaluator/finalise.ts";
import { progressOf } from "../evaluator/progress.ts";
import { versionsAfter } from "../evaluator/record-versions.ts";
import type { Intent, Lease } from "../ports/state-store.ts";
import type { EnvironmentMarker, MarkerKey } from "../ports/warehouse.ts";
import { findPlan } from "./find-plan.ts";
import type { Services } from "./services.ts";

export interface MarkerReader {
  readonly readEnvironmentMarker: (project: string, environment: string) => Promise<EnvironmentMarker | null>;
  readonly readMarkers: (run: string) => Promise<readonly MarkerKey[]>;
}

/**
 * A run may have died between its promotion and the record of it in state. The warehouse knows: its marker is there.
 * That it isn't there is final only for whoever has taken the run's fences: until then its commit may be on the way.
 *
 * @returns the intent that came true, or null when there was none or it never happened.
 */
export async function findPromoted(
  services: Pick<Services, "state">,
  target: Pick<PlanTarget, "project" | "environment">,
  warehouse: Pick<MarkerReader, "readEnvironmentMarker">,
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
  warehouse: Pick<MarkerReader, "readMarkers">,
): Promise<void> {
  const { state, clock } = services;
  const { plan } = await findPlan(services, intent.planId);
  const at = clock.now();
  const events = await readHappenings(services, intent.run);
  const { done, unrecorded } = progressOf(plan, events, await warehouse.readMarkers(intent.run), true);
  const versions = versionsAfter(plan, done);
  const found = unrecorded.map((action) => ({ kind: "action_done", action, ms: 0, rows: null, found: true }) as const);
  const line = "Applied. Its process ended before it could say so; recorded by the next that came.";
  await state.finalise({
    run: intent.run,
    lease,
    plan,
    environment: environmentAfter(plan, at),
    versions,
    at,
    events: [...found, { kind: "finalised" }, { kind: "run_ended", state: "applied", problems: [], line }],
  });
}

const PAGE = 1_000;

/** A run's whole journal. */
export async function readHappenings(services: Pick<Services, "state">, run: string): Promise<readonly RunHappening[]> {
  const happenings: RunHappening[] = [];
  for (let after = 0; ; ) {
    const events = await services.state.readEvents(run, after, PAGE);
    happenings.push(...events.map(({ event }) => event));
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return happenings;
    after = last.seq;
  }
}
