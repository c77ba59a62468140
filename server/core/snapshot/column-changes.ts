import { assertNever } from "../base/result.ts";
import type { ColumnChanges, OutputColumn } from "./output-column.ts";

/** Matched by name, in the order of `after` (removed ones in that of `before`). A collation counts as part of the type. */
export function compareColumns(before: readonly OutputColumn[], after: readonly OutputColumn[]): ColumnChanges {
  const old = new Map(before.map((column) => [column.name, column]));
  const fresh = new Set(after.map((column) => column.name));
  const added = after.filter((column) => !old.has(column.name));
  const removed = before.filter((column) => !fresh.has(column.name));
  const retyped = after.flatMap((column) => {
    const was = old.get(column.name);
    if (was === undefined || typeText(was) === typeText(column)) return [];
    return [{ name: column.name, from: typeText(was), to: typeText(column) }];
  });
  const same = added.length === 0 && removed.length === 0 && retyped.length === 0;
  const reordered = same && before.some((column, index) => after[index]?.name !== column.name);
  return { added, removed, retyped, reordered };
}

/** `any_order` for what is read and written by column name, `in_order` for what is bound by position. */
export function sameColumns(changes: ColumnChanges, order: "any_order" | "in_order"): boolean {
  const same = changes.added.length === 0 && changes.removed.length === 0 && changes.retyped.length === 0;
  switch (order) {
    case "any_order":
      return same;
    case "in_order":
      return same && !changes.reordered;
    default:
      return assertNever(order);
  }
}

function typeText(column: OutputColumn): string {
  return column.collation === null ? column.type : `${column.type} COLLATE ${column.collation}`;
}
