import type { Action } from "../../server/core/plan/action.ts";
import { progressOf } from "../../server/evaluator/progress.ts";
import type { Services } from "../../server/operations/services.ts";
import type { World } from "./world.ts";

/** Rows that side.log must have: one for each statement of an author's that a run has committed, by the warehouse's markers. */
export async function statementsCommitted(services: Services, world: World): Promise<readonly string[]> {
  const runs = await world.query<{ id: string; plan_id: string }>("SELECT id, plan_id FROM weir.runs");
  const markers = await world.query<{ run: string; action: string; batch: number }>(
    "SELECT run, action, batch FROM weir_internal.batch_marker",
  );
  const labels: string[] = [];
  for (const { id, plan_id } of runs) {
    const record = await services.state.findPlan(plan_id);
    if (record === null) throw new Error(`no plan ${plan_id}`);
    const own = markers.filter((marker) => marker.run === id);
    const { done } = progressOf(record.plan, [], own, false);
    labels.push(...record.plan.effects.actions.filter((action) => done.has(action.id)).flatMap(labelOf));
  }
  return labels.map((label) => `("${label}")`).sort();
}

function labelOf(action: Action): readonly string[] {
  return action.statements.flatMap(({ sql }) => /INSERT INTO side\.log VALUES \('([^']+)'\)/.exec(sql)?.[1] ?? []);
}
