import { assertNever } from "../base/result.ts";
import { hazardSeverity, severities } from "../plan/hazards/hazard-codes.ts";
import type { PlanEffects, PlanResult, PlanState } from "../plan/plan.ts";
import { describeBlocker } from "./describe-blocker.ts";
import { describeHazard } from "./describe-hazard.ts";
import { countText } from "./object-text.ts";
import type { PlanView, SummaryView } from "./plan-view.ts";

/** The gravest hazard decides, and is named, so that nobody has to guess where a colour comes from. */
export function describeRisk(effects: PlanEffects): PlanView["risk"] {
  const level = severities.findLast((severity) =>
    effects.hazards.some((hazard) => hazardSeverity[hazard.code] === severity),
  );
  if (level === undefined) return { level: "low", rule: "No hazard was found." };
  const gravest = effects.hazards.filter((hazard) => hazardSeverity[hazard.code] === level);
  const rule = gravest.map((hazard) => `${hazard.code}: ${describeHazard(hazard)}`).join(" ");
  return { level, rule };
}

/** One sentence: what is true, and what it asks of the reader. */
export function describeVerdict(
  effects: PlanEffects,
  result: PlanResult,
  state: PlanState,
  summary: SummaryView,
): string {
  const { environment } = effects.target;
  switch (state) {
    case "open":
      return openVerdict(effects, result, summary);
    case "approved":
      return `Approved: start it to change ${environment}.`;
    case "applying":
      return `Being applied to ${environment} now.`;
    case "applied":
      return `Applied: ${environment} serves this plan.`;
    case "failed":
      return `Failed on the way: resume it, or discard it and plan again.`;
    case "stale":
      return `Stale: ${environment} has moved since this plan was made. Plan again.`;
    case "superseded":
      return `Superseded: a newer plan has taken its place.`;
    case "expired":
      return `Expired: nobody decided in time. Plan again.`;
    case "rejected":
      return `Rejected: it won't be applied.`;
    case "discarded":
      return `Discarded: it won't be applied.`;
    default:
      return assertNever(state);
  }
}

function openVerdict(effects: PlanEffects, result: PlanResult, summary: SummaryView): string {
  const { environment } = effects.target;
  switch (result) {
    case "empty":
      return `Nothing to do: ${environment} matches the project.`;
    case "blocked":
      return blockedVerdict(effects);
    case "applicable":
      return applicableVerdict(effects, environment, summary);
    default:
      return assertNever(result);
  }
}

function blockedVerdict(effects: PlanEffects): string {
  const outside = effects.dependents.filter((dependent) => dependent.fate === "blocked");
  if (outside.length > 0) {
    const objects = countText(outside.length, "object");
    return `Blocked: ${objects} outside the project would be lost, so nothing is changed until that is resolved.`;
  }
  const [first] = effects.blockers;
  const more = effects.blockers.length - 1;
  const sentence = first === undefined ? "" : describeBlocker(first);
  return `Blocked: ${sentence}${more === 0 ? "" : ` And ${countText(more, "more reason")}.`}`;
}

function applicableVerdict(effects: PlanEffects, environment: string, summary: SummaryView): string {
  const { level } = describeRisk(effects);
  const recreated = effects.dependents.filter((each) => each.fate === "recreated" && !each.managed).length;
  const kept = effects.dependents.filter((dependent) => dependent.fate === "kept" && !dependent.managed).length;
  const lost = effects.dependents.filter((each) => each.fate === "lost" && !each.managed).length;
  const outside =
    lost > 0
      ? `${countText(lost, "object")} outside the project ${lost === 1 ? "is" : "are"} dropped for good`
      : recreated > 0
        ? `${countText(recreated, "object")} outside the project ${recreated === 1 ? "is" : "are"} dropped and brought back`
        : kept === 0
          ? "nothing outside the project is touched"
          : `${countText(kept, "object")} outside the project ${kept === 1 ? "stays as it is" : "stay as they are"}`;
  if (level === "high" || level === "critical")
    return `Needs a careful look: something can't be undone or disappears from ${environment}, and ${outside}.`;
  if (summary.create + summary.replace + summary.drop === 0)
    return `Ready: no name in ${environment} changes what it serves, and ${outside}.`;
  return `Ready: ${environment} is switched in one transaction, and ${outside}.`;
}
