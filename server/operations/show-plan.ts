import type { Hash } from "../core/base/hash.ts";
import { describePlan } from "../core/review/describe-plan.ts";
import type { PlanView } from "../core/review/plan-view.ts";
import type { Decision } from "../core/review/review.ts";
import type { Run } from "../core/stage/run.ts";
import type { PlanFilter, PlanRecord } from "../ports/state-store.ts";
import { findPlan } from "./find-plan.ts";
import type { Services } from "./services.ts";

export interface ShownPlan {
  readonly record: Omit<PlanRecord, "plan">;
  readonly view: PlanView;
  readonly decisions: readonly Decision[];
  /** Newest first. */
  readonly runs: readonly Run[];
}

/** @throws AppError `plan_unknown`. */
export async function showPlan(services: Pick<Services, "state">, id: string): Promise<ShownPlan> {
  return showRecord(services, await findPlan(services, id));
}

/** Newest first. */
export async function listPlans(services: Pick<Services, "state">, filter: PlanFilter): Promise<readonly ShownPlan[]> {
  const records = await services.state.listPlans(filter);
  return Promise.all(records.map((record) => showRecord(services, record)));
}

async function showRecord(services: Pick<Services, "state">, record: PlanRecord): Promise<ShownPlan> {
  const { plan, ...rest } = record;
  const ids = plan.effects.changes.flatMap((change) => [change.previous, change.current].filter((id) => id !== null));
  const stored = await services.state.readSnapshots(ids);
  const own: readonly (readonly [Hash, (typeof plan.effects.snapshots)[number]])[] = plan.effects.snapshots.map(
    (each) => [each.id, each],
  );
  const view = describePlan(plan, record.state, new Map([...stored, ...own]));
  const decisions = await services.state.readDecisions(plan.id);
  const runs = await services.state.listRuns({ planId: plan.id, environment: null, limit: 20 });
  return { record: rest, view, decisions, runs };
}
