import type { Query } from "./query.ts";

/**
 * Whatever a role or a database has set for itself, our text means the same: names are resolved by us alone; dates,
 * strings and deparsed definitions are spelled one way. The role comes last: all that follows has its rights.
 * One SELECT, so that it costs one round trip and works inside a transaction as well.
 */
export function sessionSettingsQuery(role: string | null, span: "session" | "transaction"): Query<object> {
  const settings: readonly (readonly [string, string])[] = role === null ? SETTINGS : [...SETTINGS, ["role", role]];
  const values = settings.flat();
  const calls = settings.map(
    (_, index) => `pg_catalog.set_config($${2 * index + 1}, $${2 * index + 2}, ${span === "transaction"})`,
  );
  return { text: `SELECT ${calls.join(", ")}`, values };
}

const SETTINGS: readonly (readonly [string, string])[] = [
  ["search_path", ""],
  ["standard_conforming_strings", "on"],
  ["client_encoding", "UTF8"],
  ["TimeZone", "UTC"],
  ["DateStyle", "ISO, MDY"],
  ["IntervalStyle", "postgres"],
  ["quote_all_identifiers", "off"],
];
