import type { KnownVersion } from "../core/environment/environment.ts";
import type { Action } from "../core/plan/action.ts";
import type { Plan } from "../core/plan/plan.ts";
import type { Evaluation } from "./evaluation.ts";

/**
 * Before anything is built or refilled, its version is on record as not filled: whatever dies in between, the next
 * plan knows the object as ours, and knows that its rows can't be relied on.
 */
export async function recordIntendedVersions(evaluation: Evaluation): Promise<void> {
  const { plan, run, state } = evaluation;
  const { target, versions, snapshots } = plan.effects;
  const models = versions.map((version) => version.model);
  const known = new Set((await state.readVersions(target.project, models)).map(identity));
  const filling = new Set(plan.effects.actions.filter(fillsRows).map((action) => action.model));
  const intended = versions
    .filter((version) => !known.has(identity(version)) || filling.has(version.model))
    .map((version) => ({ ...version, filled: filling.has(version.model) ? false : version.filled }));
  if (intended.length > 0 || snapshots.length > 0) await state.recordVersions(run.id, intended, snapshots);
}

/** After a fill has committed. The marker in the warehouse says so too; this is what plans read. */
export async function recordFilled(evaluation: Evaluation, actions: readonly Action[]): Promise<void> {
  const models = new Set(actions.filter(fillsRows).map((action) => action.model));
  const filled = evaluation.plan.effects.versions.filter((version) => models.has(version.model));
  if (filled.length === 0) return;
  await evaluation.state.recordVersions(evaluation.run.id, filled, []);
}

/** Versions as they are once the run has ended: those whose fill was never carried out stay on record as not filled. */
export function versionsAfter(plan: Plan, done: ReadonlySet<string>): readonly KnownVersion[] {
  const unfilled = new Set(
    plan.effects.actions.filter((action) => fillsRows(action) && !done.has(action.id)).map((action) => action.model),
  );
  return plan.effects.versions.map((version) => ({
    ...version,
    filled: version.filled && !unfilled.has(version.model),
  }));
}

function fillsRows(action: Action): boolean {
  return action.kind === "fill_table" || action.kind === "load_seed" || action.kind === "refresh_materialized_view";
}

function identity(version: KnownVersion): string {
  return `${version.model}\n${version.lookupKey}\n${version.version}`;
}
