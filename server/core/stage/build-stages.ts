import type { Action, ActionStage } from "../plan/action.ts";
import type { Plan } from "../plan/plan.ts";
import { planResult } from "../plan/result.ts";
import type { Stage, StageTransaction } from "./stage.ts";

/**
 * The stages of a plan in their order; empty ones are left out. Each action outside the promotion is a transaction of
 * its own, so that a long fill that fails loses only itself; the promotion is one for all, so that readers see the old
 * environment or the new one and never a half.
 */
export function buildStages(plan: Plan): readonly Stage[] {
  const { actions } = plan.effects;
  if (planResult(plan.effects) !== "applicable") return [];
  const of = (stage: ActionStage) => actions.filter((action) => action.stage === stage);
  const several = (kind: Exclude<ActionStage, "promotion">): readonly Stage[] => {
    const transactions = of(kind).map(oneAction);
    return transactions.length === 0 ? [] : [{ kind, transactions }];
  };
  return [
    { kind: "preflight" },
    ...several("schemas"),
    ...several("create"),
    ...several("fill"),
    ...several("audit"),
    { kind: "promotion", transaction: { marker: "promotion", actions: of("promotion"), alone: false } },
    ...several("fill_after"),
    ...several("after"),
    { kind: "verify" },
    // Last, since with it the run is over: what came after it could be lost with the process and never be made up for.
    { kind: "finalise" },
  ];
}

function oneAction(action: Action): StageTransaction {
  return { marker: action.id, actions: [action], alone: action.statements.some((statement) => statement.alone) };
}
