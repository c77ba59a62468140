import { compareText, relationKey } from "../base/relation-name.ts";
import type { Plan } from "../plan/plan.ts";

/**
 * What a run must hold alone: its environment, and every version that it builds, writes, alters or drops. In name
 * order, in which all leases are taken, so that two runs can't wait for each other.
 */
export function leaseScopes(plan: Plan): readonly string[] {
  const { target, actions } = plan.effects;
  const versions = actions.filter((action) => action.layer === "physical" && action.kind !== "create_schema");
  const scopes = versions.map((action) => `version:${relationKey(action.target)}`);
  return [...new Set([`environment:${target.project}/${target.environment}`, ...scopes])].sort(compareText);
}
