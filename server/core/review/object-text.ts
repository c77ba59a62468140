import type { ObjectName } from "../catalog/catalog.ts";
import { displayObject } from "../catalog/display-object.ts";
import type { AffectedObject } from "../plan/hazards/hazard.ts";

/** `bi.items`, `bi.total(integer)`, `audit on shop.orders`; what has no schema by its name alone. */
export function objectName(object: ObjectName): string {
  return displayObject(object);
}

/** `view bi.items`. */
export function objectText(object: ObjectName): string {
  return `${object.type} ${objectName(object)}`;
}

/** `view bi.items (owner bi_owner)`. */
export function ownedText(affected: AffectedObject): string {
  return affected.owner === null
    ? objectText(affected.object)
    : `${objectText(affected.object)} (owner ${affected.owner})`;
}

/** `a`, `a and b`, `a, b and c`; beyond `limit` the rest is counted, never hidden. */
export function listText(items: readonly string[], limit = 6): string {
  const shown = items.length > limit ? [...items.slice(0, limit - 1), `${items.length - limit + 1} more`] : items;
  if (shown.length <= 1) return shown[0] ?? "nothing";
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** `1 view`, `2 views`. */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

export function columnsText(columns: readonly string[] | "unknown"): string {
  if (columns === "unknown") return "columns that the catalog doesn't name";
  return columns.length === 0 ? "no columns" : `${columns.length === 1 ? "column" : "columns"} ${listText(columns)}`;
}
