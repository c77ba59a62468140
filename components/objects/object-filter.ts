import { parseAsArrayOf, parseAsBoolean, parseAsString } from "nuqs";
import { nameHolds } from "../ui/name-holds.ts";
import type { ObjectRow } from "./object-rows.ts";

/** Every filter is a chip, and every chip is in the address. */
export const filterParsers = {
  q: parseAsString.withDefault(""),
  fate: parseAsArrayOf(parseAsString).withDefault([]),
  owner: parseAsString,
  unseen: parseAsBoolean.withDefault(false),
  neutral: parseAsBoolean.withDefault(false),
};

export interface ObjectFilter {
  readonly q: string;
  readonly fate: readonly string[];
  readonly owner: string | null;
  readonly unseen: boolean;
  readonly neutral: boolean;
}

export function matches(row: ObjectRow, filter: ObjectFilter, seen: ReadonlySet<string>): boolean {
  if (filter.fate.length > 0 && !filter.fate.includes(row.fate ?? "unchanged")) return false;
  if (filter.owner !== null && row.owner !== filter.owner) return false;
  if (filter.unseen && seen.has(row.id)) return false;
  return nameHolds(row.name, filter.q);
}
