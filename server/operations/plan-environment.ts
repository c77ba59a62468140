import { AppError } from "../core/base/app-error.ts";
import type { Hash } from "../core/base/hash.ts";
import { problem } from "../core/base/problem.ts";
import { normaliseEnvironmentName } from "../core/environment/environment-name.ts";
import { assemblePlan, beginPlan } from "../core/plan/build-plan.ts";
import type { Facts, PlanRequest, StateFacts } from "../core/plan/facts.ts";
import type { Plan, PlanState } from "../core/plan/plan.ts";
import type { PlanOptions } from "../core/plan/plan-options.ts";
import { describePlan } from "../core/review/describe-plan.ts";
import type { PlanView } from "../core/review/plan-view.ts";
import { makeSnapshots } from "../core/snapshot/fingerprint.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { LoadedProject } from "../ports/project-source.ts";
import { readWarehouseFacts } from "./read-warehouse-facts.ts";
import type { OpenCatalog, ProjectPlace, Services } from "./services.ts";
import { findPromoted, settleIntent } from "./settle-intent.ts";
import { unwrap } from "./unwrap.ts";

export interface PlanEnvironmentRequest {
  readonly place: ProjectPlace;
  /** As typed; null for the configuration's default. */
  readonly environment: string | null;
  readonly options: PlanOptions;
  readonly author: string;
  /** Keep it in state, so that it can be shown, decided on and applied. Plans without effects are never kept. */
  readonly save: boolean;
}

export interface PlannedEnvironment {
  readonly plan: Plan;
  readonly state: PlanState;
  readonly view: PlanView;
  /** An equal plan was waiting already: this is that one. */
  readonly existing: boolean;
  readonly loaded: LoadedProject;
}

/**
 * Reads the facts, builds the plan, keeps it. The warehouse is only read, in read-only transactions.
 * @throws AppError with every fault of the project, or with what couldn't be reached.
 */
export async function planEnvironment(
  services: Services,
  request: PlanEnvironmentRequest,
): Promise<PlannedEnvironment> {
  const loaded = unwrap(await services.projects.load(request.place));
  const { project, settings } = loaded;
  const environment = unwrap(normaliseEnvironmentName(request.environment ?? settings.defaultEnvironment));
  const snapshots = makeSnapshots(project, services.parser);
  const reader = await services.catalog(settings.gateway);
  try {
    await catchUp(services, project.name, environment, reader);
    const state = await services.state.readStateFacts(project.name, environment, [...snapshots.keys()]);
    const { shapes, catalog } = await readWarehouseFacts(services, settings.gateway, reader, {
      project,
      snapshots,
      state,
      environment,
    });
    const planRequest = await describeRequest(services, request, loaded, environment);
    const facts: Facts = { project, snapshots, state, shapes, catalog, captures: NO_CAPTURES, request: planRequest };
    const begun = unwrap(beginPlan(facts, services.parser));
    const captures = begun.captures.length === 0 ? NO_CAPTURES : await reader.readCaptures(begun.captures);
    const plan = unwrap(assemblePlan({ ...facts, captures }, begun.decisions, services.parser));
    return await keep(services, request, plan, loaded, state);
  } finally {
    await reader.close();
  }
}

const NO_CAPTURES = { objects: [], defaultGrantees: [], rights: [] };

/** A promotion that state missed is made good first: planning writes to state only, and never plans against the past. */
async function catchUp(services: Services, project: string, environment: string, reader: OpenCatalog): Promise<void> {
  const target = { project, environment };
  // Asked before the lease is: an intent that never came true stays until the next apply, which must not find us here.
  if ((await findPromoted(services, target, reader)) === null) return;
  const scopes = [`environment:${project}/${environment}`];
  const outcome = await services.state.acquireLease({ scopes, holder: "planning", run: services.ids.next("plan") });
  // Its run is alive and will finalise by itself; what is planned meanwhile goes stale, as it should.
  if (!outcome.ok) return;
  try {
    const promoted = await findPromoted(services, target, reader);
    if (promoted !== null) await settleIntent(services, promoted, outcome.lease, reader);
  } finally {
    await services.state.releaseLease(outcome.lease);
  }
}

async function describeRequest(
  services: Services,
  request: PlanEnvironmentRequest,
  loaded: LoadedProject,
  environment: string,
): Promise<PlanRequest> {
  return {
    environment,
    gateway: loaded.settings.gateway.name,
    engine: "postgres",
    options: request.options,
    now: services.clock.now(),
    author: request.author,
    tool: services.tool,
    folder: request.place.folder,
    submission: await services.state.nextSubmission(loaded.project.name, environment),
  };
}

async function keep(
  services: Services,
  request: PlanEnvironmentRequest,
  plan: Plan,
  loaded: LoadedProject,
  facts: StateFacts,
): Promise<PlannedEnvironment> {
  const known = snapshotsOf(plan, facts);
  const empty =
    plan.effects.actions.length === 0 && plan.effects.blockers.length === 0 && plan.effects.changes.length === 0;
  if (!request.save || empty) {
    return { plan, state: "open", view: describePlan(plan, "open", known), existing: false, loaded };
  }
  for (const hash of artefactsOf(plan)) {
    const rows = loaded.seeds.get(hash);
    if (rows === undefined)
      throw new AppError(problem("state_unreadable", { what: `seed ${hash}`, reason: "it wasn't loaded" }));
    await services.state.saveArtefact(hash, rows);
  }
  const { record, existing } = await services.state.savePlan(plan);
  return {
    plan: record.plan,
    state: record.state,
    view: describePlan(record.plan, record.state, known),
    existing,
    loaded,
  };
}

function snapshotsOf(plan: Plan, facts: StateFacts): ReadonlyMap<Hash, Snapshot> {
  return new Map([...facts.snapshots, ...plan.effects.snapshots.map((each) => [each.id, each] as const)]);
}

function artefactsOf(plan: Plan): readonly Hash[] {
  const hashes = plan.effects.actions.map((action) => action.artefact).filter((hash) => hash !== null);
  return [...new Set(hashes)].sort();
}
