import { type Problem, problem } from "../base/problem.ts";
import { compareText } from "../base/relation-name.ts";
import type { Environment } from "../environment/environment.ts";
import { type ModelKey, modelKey } from "../model/model-name.ts";
import type { Project } from "../model/project.ts";
import { compareColumns } from "../snapshot/column-changes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Decision } from "./decision.ts";

/** What the environment serves and the project no longer has; readers before what they read, as they must be dropped. */
export function removedModels(
  environment: Environment,
  project: Project,
  snapshots: ReadonlyMap<ModelKey, Snapshot>,
): readonly Decision[] {
  const present = new Set(project.models.map((model) => model.key));
  const removed = environment.models.filter((promoted) => !present.has(promoted.model));
  const readersFirst = orderReadersFirst(
    removed.map((promoted) => promoted.model),
    snapshots,
  );
  return readersFirst.flatMap((key) => {
    const previous = removed.find((promoted) => promoted.model === key);
    if (previous === undefined) return [];
    return {
      model: key,
      row: null,
      change: "removed",
      category: null,
      reasons: [{ code: "model_removed" }],
      path: [key],
      moved: false,
      differs: true,
      outcome: "none",
      create: false,
      fill: "none",
      alter: null,
      previous,
      compared: previous,
      previousSnapshot: snapshots.get(key) ?? null,
      next: null,
      columns: compareColumns(previous.columns, []),
      inPlace: false,
    };
  });
}

/** B19: models that still read by name what was removed. The old view is still there, so the server wouldn't object. */
export function findRemovedReads(environment: Environment, project: Project): readonly Problem[] {
  const present = new Set(project.models.map((model) => model.key));
  const removed = new Set(environment.models.map((promoted) => promoted.model).filter((key) => !present.has(key)));
  return project.models.flatMap((model) =>
    model.references
      .filter((reference) => reference.model === null && removed.has(modelKey(reference.relation)))
      .map((reference) =>
        problem("reference_removed", { model: modelKey(reference.relation), reader: model.key }, reference.place),
      ),
  );
}

/** By the longest way down to what nobody of them reads; a stored project has no circles, yet one would end here, too. */
function orderReadersFirst(keys: readonly ModelKey[], snapshots: ReadonlyMap<ModelKey, Snapshot>): readonly ModelKey[] {
  const depths = new Map<ModelKey, number>();
  const depthOf = (key: ModelKey): number => {
    const known = depths.get(key);
    if (known !== undefined) return known;
    depths.set(key, 0);
    const parents = (snapshots.get(key)?.parents ?? []).filter((parent) => keys.includes(parent));
    const depth = Math.max(0, ...parents.map((parent) => depthOf(parent) + 1));
    depths.set(key, depth);
    return depth;
  };
  return [...keys].sort((a, b) => depthOf(b) - depthOf(a) || compareText(a, b));
}
