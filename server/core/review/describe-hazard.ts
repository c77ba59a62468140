import type { AffectedObject, Hazard, HazardCode } from "../plan/hazards/hazard.ts";
import { columnsText, countText, listText, objectName, ownedText } from "./object-text.ts";

/** One sentence a hazard, naming its objects. */
export function describeHazard(hazard: Hazard): string {
  return sentences[hazard.code](hazard.objects);
}

type Sentence = (objects: readonly AffectedObject[]) => string;

const names = (objects: readonly AffectedObject[]) => listText(objects.map((each) => objectName(each.object)));
const owned = (objects: readonly AffectedObject[]) => listText(objects.map(ownedText));
const withColumns = (objects: readonly AffectedObject[]) =>
  listText(objects.map((each) => `${columnsText(each.columns)} of ${objectName(each.object)}`));
const are = (objects: readonly unknown[]) => (objects.length === 1 ? "is" : "are");

const sentences: Readonly<Record<HazardCode, Sentence>> = {
  data_loss: (objects) => `The values of ${withColumns(objects)} are deleted for good.`,
  outside_object_recreated: (objects) => `${owned(objects)} ${are(objects)} dropped and made again, identical.`,
  outside_object_lost: (objects) =>
    `${owned(objects)} can't be kept: ${objects.length === 1 ? "it hangs" : "they hang"} on what can't stay as it is.`,
  outside_object_retyped: (objects) =>
    `${owned(objects)} ${objects.length === 1 ? "uses" : "use"} a column that changes its type.`,
  stored_rows_recomputed: (objects) => `The stored rows of ${names(objects)} are computed anew and may differ.`,
  forward_only_destructive: (objects) =>
    `Dropped or retyped in a table whose history is kept: ${withColumns(objects)}.`,
  rollback_lost: (objects) => `Rolling back past this plan is no longer possible for ${names(objects)}.`,
  version_in_use: (objects) =>
    `${owned(objects)} still ${objects.length === 1 ? "reads" : "read"} columns that disappear.`,
  served_order_differs: (objects) =>
    `Served order differs from the model in ${names(objects)}: columns keep their places for those who read them, new ones come last.`,
  columns_removed: (objects) => `Readers lose ${withColumns(objects)}.`,
  column_retyped: (objects) => `Readers see another type in ${withColumns(objects)}.`,
  history_not_recomputed: (objects) =>
    `Rows that ${names(objects)} holds already aren't computed anew; restate the model to do so.`,
  rebuild_expensive: (objects) => `${names(objects)} ${are(objects)} large and built whole.`,
  reader_wait: (objects) => `Readers of ${names(objects)} wait while it is written.`,
  old_version_still_read: (objects) =>
    `${owned(objects)} ${objects.length === 1 ? "reads" : "read"} a physical object directly and will stay on the version before.`,
  conservative_category: (objects) =>
    `${names(objects)} ${are(objects)} rebuilt to be safe: which columns matter isn't known.`,
  environment_replaced: (objects) =>
    `The environment is taken over from another project; ${countText(objects.length, "view")} of its disappear.`,
  index_not_carried: (objects) => `Not in the project, so the new version won't have it: index ${names(objects)}.`,
  view_dropped: (objects) =>
    `${names(objects)} ${objects.length === 1 ? "disappears" : "disappear"} from the environment; the rows behind wait for retention.`,
  view_recreated: (objects) =>
    `${names(objects)} ${are(objects)} dropped and made again within the promotion, with all that ${objects.length === 1 ? "it carries" : "they carry"}.`,
};
