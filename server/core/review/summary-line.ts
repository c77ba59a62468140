import type { PlanEffects, PlanResult } from "../plan/plan.ts";
import { countText } from "./object-text.ts";
import type { SummaryView } from "./plan-view.ts";

/**
 * The counts that stand everywhere: models by what happens to their name, each once; dependents by their fate.
 * What is built whole counts as one interval.
 */
export function summarise(effects: PlanEffects, result: PlanResult): SummaryView {
  const served = (what: "create" | "replace" | "drop") =>
    effects.changes.filter((change) => change.served === what).length;
  const fated = (fate: "recreated" | "lost") => effects.dependents.filter((dependent) => dependent.fate === fate);
  const counts = {
    create: served("create"),
    replace: served("replace"),
    drop: served("drop"),
    recreate: fated("recreated").length,
    recreateUnmanaged: fated("recreated").filter((dependent) => !dependent.managed).length,
    lost: fated("lost").length,
    intervals: effects.backfills.reduce((sum, backfill) => sum + Math.max(1, backfill.intervals.length), 0),
    models: effects.backfills.length,
  };
  return { ...counts, line: summaryLine(counts, effects.target.environment, result) };
}

/** `Plan: 3 to create, 5 to replace, 1 to drop, 4 to recreate (2 unmanaged), 0 lost. Backfill: 128 intervals in 4 models.` */
export function summaryLine(counts: Omit<SummaryView, "line">, environment: string, result: PlanResult): string {
  if (result === "empty") return `No changes. ${environment} matches the project.`;
  const { create, replace, drop, recreate, recreateUnmanaged, lost, intervals, models } = counts;
  const parts = [
    ...(create === 0 ? [] : [`${create} to create`]),
    ...(replace === 0 ? [] : [`${replace} to replace`]),
    `${drop} to drop`,
    ...(recreate === 0
      ? []
      : [`${recreate} to recreate${recreateUnmanaged === 0 ? "" : ` (${recreateUnmanaged} unmanaged)`}`]),
    `${lost} lost`,
  ];
  const backfill =
    models === 0 ? "" : ` Backfill: ${countText(intervals, "interval")} in ${countText(models, "model")}.`;
  return `Plan: ${parts.join(", ")}.${backfill}`;
}
