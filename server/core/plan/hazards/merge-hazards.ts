import { compareText, relationKey } from "../../base/relation-name.ts";
import type { Action } from "../action.ts";
import { compareObjects, objectKey } from "../dependents.ts";
import type { AffectedObject, Blocker, Hazard, HazardCode } from "./hazard.ts";
import { hazardSeverity, severities } from "./hazard-codes.ts";

/** One entry a code, the gravest first; its objects each once, by name. */
export function mergeHazards(hazards: readonly Hazard[]): readonly Hazard[] {
  const codes = [...new Set(hazards.map((hazard) => hazard.code))].sort(
    (a, b) => severities.indexOf(hazardSeverity[b]) - severities.indexOf(hazardSeverity[a]) || compareText(a, b),
  );
  return codes.map((code) => ({
    code,
    objects: distinctObjects(hazards.filter((hazard) => hazard.code === code).flatMap((hazard) => hazard.objects)),
  }));
}

export function sortBlockers(blockers: readonly Blocker[]): readonly Blocker[] {
  const text = (blocker: Blocker) => `${blocker.details.model ?? ""} ${JSON.stringify(blocker)}`;
  return [...blockers].sort((a, b) => compareText(a.code, b.code) || compareText(text(a), text(b)));
}

/** Marks each action with what it does to its own target. */
export function markActions(actions: readonly Action[], hazards: readonly Hazard[]): readonly Action[] {
  const codesOf = new Map<string, Set<HazardCode>>();
  for (const { code, objects } of hazards) {
    for (const { object } of objects) {
      const key = relationKey(object);
      codesOf.set(key, (codesOf.get(key) ?? new Set()).add(code));
    }
  }
  return actions.map((action) => {
    if (!changesSomething.has(action.kind)) return action;
    const codes = codesOf.get(relationKey(action.target)) ?? [];
    return { ...action, hazards: [...new Set([...action.hazards, ...codes])].sort(compareText) };
  });
}

/** A comment or an ANALYZE of the same object isn't what the hazard is about. */
const changesSomething: ReadonlySet<Action["kind"]> = new Set([
  "alter_table",
  "create_virtual_view",
  "drop_object",
  "drop_virtual_view",
  "fill_table",
  "load_seed",
  "recreate_object",
  "recreate_virtual_view",
  "refresh_materialized_view",
  "replace_virtual_view",
]);

function distinctObjects(objects: readonly AffectedObject[]): readonly AffectedObject[] {
  const byKey = new Map<string, AffectedObject>();
  for (const each of objects) {
    const other = byKey.get(objectKey(each.object));
    byKey.set(
      objectKey(each.object),
      other === undefined ? each : { ...each, columns: joinColumns(other.columns, each.columns) },
    );
  }
  return [...byKey.values()].sort((a, b) => compareObjects(a.object, b.object));
}

function joinColumns(a: AffectedObject["columns"], b: AffectedObject["columns"]): AffectedObject["columns"] {
  if (a === "unknown" || b === "unknown") return "unknown";
  return [...new Set([...a, ...b])].sort(compareText);
}
