import { objectName, ownedText } from "../core/review/object-text.ts";
import type { AffectedView, ChangeView, DependentView } from "../core/review/plan-view.ts";

/** `view bi.items (owner bi_owner): name, price`. */
export function affectedText(affected: AffectedView): string {
  const { columns } = affected;
  const used = columns === "unknown" ? "columns unknown" : columns.join(", ");
  return `${ownedText(affected)}${used === "" ? "" : `: ${used}`}`;
}

/** `view bi.items (owner bi_owner)`. */
export function dependentText({ object, owner }: DependentView): string {
  return ownedText({ object, owner, columns: [] });
}

/** `name, price of shop.stg_items; shop.a (columns unknown)`. */
export function usesText(dependent: DependentView): string {
  return dependent.of
    .map(({ object, columns }) => {
      if (columns === "unknown") return `${objectName(object)} (columns unknown)`;
      return columns.length === 0 ? objectName(object) : `${columns.join(", ")} of ${objectName(object)}`;
    })
    .join("; ");
}

/** `adds price numeric(10,2); removes name text; retypes id integer to bigint; reorders columns`, or empty. */
export function columnsText({ added, removed, retyped, reordered }: ChangeView["columns"]): string {
  const parts: string[] = [];
  if (added.length > 0) parts.push(`adds ${added.map((each) => `${each.name} ${each.type}`).join(", ")}`);
  if (removed.length > 0) parts.push(`removes ${removed.map((each) => `${each.name} ${each.type}`).join(", ")}`);
  if (retyped.length > 0) {
    parts.push(`retypes ${retyped.map((each) => `${each.name} from ${each.from} to ${each.to}`).join(", ")}`);
  }
  if (reordered) parts.push("reorders its columns");
  return parts.join("; ");
}

/** Where a change came from, unless its reasons say so already: `because of shop.a`. Empty for direct edits. */
export function originText(change: ChangeView): string {
  const origin = change.path.at(-1);
  if (origin === undefined || origin === change.model) return "";
  return change.reasons.some((reason) => reason.includes(origin)) ? "" : `because of ${origin}`;
}
