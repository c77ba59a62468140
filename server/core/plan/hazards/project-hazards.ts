import { looksLikeOtherProject } from "../blockers/project-blockers.ts";
import { objectOf, type Planning } from "../planning.ts";
import type { Hazard } from "./hazard.ts";

/** The environment is taken over from another project because somebody said so (`--replace-project`). */
export function projectHazards(planning: Planning): readonly Hazard[] {
  if (!planning.facts.request.options.replaceProject || looksLikeOtherProject(planning) === null) return [];
  const objects = planning.decisions.flatMap((decision) => {
    const view = decision.change === "removed" ? (decision.previous?.view ?? null) : null;
    return view === null ? [] : [{ object: objectOf(view, "view"), owner: null, columns: [] }];
  });
  return objects.length === 0 ? [] : [{ code: "environment_replaced", objects }];
}
