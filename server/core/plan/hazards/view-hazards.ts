import type { CatalogRelation } from "../../catalog/catalog.ts";
import type { OutputColumn } from "../../snapshot/output-column.ts";
import { affectedBy, type Judged } from "../dependents.ts";
import { objectOf } from "../planning.ts";
import type { VirtualChange } from "../virtual-change.ts";
import type { AffectedObject, Hazard, HazardCode } from "./hazard.ts";

/** What readers of a name will notice. */
export function viewHazards(change: VirtualChange, model: readonly OutputColumn[]): readonly Hazard[] {
  if (change.manner === "stay" || change.manner === "not_ours") return [];
  const owner = change.current?.owner ?? null;
  const affected = (columns: readonly string[]): AffectedObject => ({
    object: objectOf(change.view, "view"),
    owner,
    columns,
  });
  const about = (code: HazardCode, columns: readonly string[]): readonly Hazard[] =>
    columns.length === 0 ? [] : [{ code, objects: [affected(columns)] }];
  if (change.current === null) return [];
  const served = change.columns.map((column) => column.name);
  const moved = served.filter((name, index) => model[index]?.name !== name);
  return [
    ...about(
      "columns_removed",
      change.changes.removed.map((column) => column.name),
    ),
    ...about(
      "column_retyped",
      change.changes.retyped.map((column) => column.name),
    ),
    ...about("served_order_differs", moved),
    ...(change.manner === "recreate" || change.manner === "climb"
      ? [{ code: "view_recreated" as const, objects: [affected([])] }]
      : []),
  ];
}

export function dropHazards(view: CatalogRelation): readonly Hazard[] {
  const columns = view.columns.map((column) => column.name);
  return [{ code: "view_dropped", objects: [{ object: objectOf(view.name, "view"), owner: view.owner, columns }] }];
}

/** Objects of other people that would fall are hazards as well as blockers: a reviewer looks for both in one list. */
export function dependentHazards(judged: readonly Judged[]): readonly Hazard[] {
  const those = (...reasons: readonly Judged["reason"][]) =>
    judged.filter((each) => reasons.includes(each.reason)).map(affectedBy);
  const lost = those("column_gone", "source_dropped", "reads_fallen", "used_by_place", "cant_capture", "with_host");
  const recreated = those("recreated");
  const retyped = those("column_retyped");
  const old = those("old_version");
  return [
    ...(lost.length === 0 ? [] : [{ code: "outside_object_lost" as const, objects: lost }]),
    ...(recreated.length === 0 ? [] : [{ code: "outside_object_recreated" as const, objects: recreated }]),
    ...(retyped.length === 0 ? [] : [{ code: "outside_object_retyped" as const, objects: retyped }]),
    ...(old.length === 0 ? [] : [{ code: "old_version_still_read" as const, objects: old }]),
  ];
}
