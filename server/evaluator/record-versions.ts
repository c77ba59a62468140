import { relationKey } from "../core/base/relation-name.ts";
import type { KnownVersion } from "../core/environment/environment.ts";
import type { Action, ActionKind } from "../core/plan/action.ts";
import type { Plan } from "../core/plan/plan.ts";
import type { Evaluation } from "./evaluation.ts";

/**
 * Before an object is made, its version is on record as not filled: whatever dies in between, the next plan knows the
 * object as ours, and that it isn't finished. So is every older record of the same object, which speaks of one that is
 * gone. What is only altered, or refilled in one transaction, stays on record as it is until that has happened.
 */
export async function recordIntendedVersions(evaluation: Evaluation): Promise<void> {
  const { plan, run, lease, state, progress } = evaluation;
  const { target, versions, snapshots, actions } = plan.effects;
  const pending = new Set(
    actions.filter(({ kind, id }) => MAKES.has(kind) && !progress.done.has(id)).map((each) => relationKey(each.target)),
  );
  const intended = versions.filter((version) => pending.has(relationKey(version.relation)));
  const models = [...new Set(intended.map((version) => version.model))];
  const known = await state.readVersions(target.project, models);
  const older = known.filter((version) => pending.has(relationKey(version.relation)));
  const unfilled = new Map(
    [...older, ...intended].map((version) => [identity(version), { ...version, filled: false }]),
  );
  if (unfilled.size > 0 || snapshots.length > 0) {
    await state.recordVersions(run.id, lease, [...unfilled.values()], snapshots);
  }
}

/**
 * After the last action that a version needs before it can be served. From here on a plan may rely on it, and doesn't
 * make it again if this run never gets any further.
 */
export async function recordFilled(evaluation: Evaluation, finished: readonly Action[]): Promise<void> {
  const { plan, run, lease, state, progress } = evaluation;
  const touched = new Set(finished.map((action) => relationKey(action.target)));
  const ready = plan.effects.versions.filter((version) => {
    const key = relationKey(version.relation);
    if (!touched.has(key)) return false;
    const own = plan.effects.actions.filter(
      (action) => action.layer === "physical" && relationKey(action.target) === key,
    );
    const building = own.filter((action) => BUILDING_STAGES.has(action.stage) && needed(action));
    const builds = building.some(({ kind }) => MAKES.has(kind) || FILLS.has(kind));
    return builds && building.every((action) => progress.done.has(action.id));
  });
  if (ready.length > 0) await state.recordVersions(run.id, lease, ready, []);
}

/** Versions as they are once the run has ended: those that something was still to be done to are on record as not filled. */
export function versionsAfter(plan: Plan, done: ReadonlySet<string>): readonly KnownVersion[] {
  const unfinished = new Set(
    plan.effects.actions
      .filter((action) => action.layer === "physical" && needed(action) && !done.has(action.id))
      .map((action) => relationKey(action.target)),
  );
  return plan.effects.versions.map((version) => ({
    ...version,
    filled: version.filled && !unfinished.has(relationKey(version.relation)),
  }));
}

const MAKES: ReadonlySet<ActionKind> = new Set(["create_view", "create_materialized_view", "create_table"]);
const FILLS: ReadonlySet<ActionKind> = new Set(["fill_table", "load_seed", "refresh_materialized_view"]);
const BUILDING_STAGES: ReadonlySet<Action["stage"]> = new Set(["create", "fill", "audit"]);

/** Statistics come by themselves in time: a version without them is no reason to make it again. */
function needed(action: Action): boolean {
  return action.kind !== "analyze";
}

function identity(version: KnownVersion): string {
  return `${version.model}\n${version.lookupKey}\n${version.version}`;
}
