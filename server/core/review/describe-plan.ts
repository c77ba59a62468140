import type { Hash } from "../base/hash.ts";
import { relationKey } from "../base/relation-name.ts";
import { hazardSeverity } from "../plan/hazards/hazard-codes.ts";
import type { Backfill, Plan, PlanState } from "../plan/plan.ts";
import { planResult } from "../plan/result.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { describeAction } from "./describe-action.ts";
import { describeBlocker } from "./describe-blocker.ts";
import { describeChange, knownSnapshots } from "./describe-change.ts";
import { describeDependent } from "./describe-dependent.ts";
import { describeGraph } from "./describe-graph.ts";
import { describeHazard } from "./describe-hazard.ts";
import { describeRisk, describeVerdict } from "./describe-risk.ts";
import { describeTiles } from "./describe-tiles.ts";
import { countText } from "./object-text.ts";
import type { BackfillView, PlanView } from "./plan-view.ts";
import { summarise } from "./summary-line.ts";

/**
 * What screens, printers and JSON show of a plan. `snapshots` are those that the plan names but doesn't carry
 * (what the environment serves now); a model whose snapshot is missing is shown without its text.
 */
export function describePlan(plan: Plan, state: PlanState, snapshots: ReadonlyMap<Hash, Snapshot>): PlanView {
  const { effects, context } = plan;
  const { target } = effects;
  const result = planResult(effects);
  const known = knownSnapshots(effects, snapshots);
  const summary = summarise(effects, result);
  return {
    format: 1,
    id: plan.id,
    digest: plan.digest,
    result,
    state,
    now: context.now,
    tool: context.tool,
    author: context.author,
    project: target.project,
    environment: target.environment,
    gateway: target.gateway,
    engine: target.engine,
    options: { ...effects.options },
    base: effects.base,
    summary,
    verdict: describeVerdict(effects, result, state, summary),
    risk: describeRisk(effects),
    tiles: describeTiles(effects, result, summary),
    changes: effects.changes.map((change) => describeChange(effects, change, known)),
    units: effects.units,
    actions: effects.actions.map(describeAction),
    dependents: effects.dependents.map(describeDependent),
    backfills: effects.backfills.map((backfill) => describeBackfill(plan, backfill)),
    audits: [],
    hazards: effects.hazards.map((hazard) => ({
      code: hazard.code,
      severity: hazardSeverity[hazard.code],
      sentence: describeHazard(hazard),
      objects: hazard.objects,
    })),
    blockers: effects.blockers.map((blocker) => ({
      code: blocker.code,
      sentence: describeBlocker(blocker),
      objects: blocker.objects,
    })),
    warnings: context.warnings,
    graph: describeGraph(plan, known),
  };
}

/** Size of what the model has now, since nothing was measured yet; unknown is said as null. */
function describeBackfill(plan: Plan, backfill: Backfill): BackfillView {
  const { model, kind, intervals, batches, relation } = backfill;
  const rows = plan.context.estimates[relationKey(relation)]?.rows ?? null;
  const estimate =
    rows === null || rows < 0 ? null : `~${countText(Math.round(rows), "row")}, by the catalog's statistics`;
  return { model, kind, intervals, batches, estimate };
}
