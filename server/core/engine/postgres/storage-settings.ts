import { quoteIdentifier, quoteLiteral } from "../../base/relation-name.ts";
import type { Properties, PropertyValue } from "../../model/model.ts";

/** What `physical_properties` mean on Postgres: some keys have a clause of their own, every other one is a storage parameter. */
export interface StorageSettings {
  /** `[key, value]`, sorted by key; for `WITH (…)`. */
  readonly parameters: readonly (readonly [string, string])[];
  readonly tablespace: string | null;
  readonly accessMethod: string | null;
  readonly unlogged: boolean;
}

const ownClause: ReadonlySet<string> = new Set([
  "access_method",
  "indexes",
  "partition_by",
  "statistics",
  "tablespace",
  "unlogged",
]);

export function storageSettings(properties: Properties): StorageSettings {
  const { tablespace, access_method: accessMethod, unlogged } = properties;
  return {
    parameters: Object.keys(properties)
      .filter((key) => !ownClause.has(key))
      .sort()
      .map((key) => [key, parameterText(properties[key] as PropertyValue)] as const),
    tablespace: textOf(tablespace),
    accessMethod: textOf(accessMethod),
    unlogged: unlogged === true || unlogged === "true",
  };
}

/** `key = 'value', …`. Keys such as `toast.autovacuum_enabled` are two identifiers, so each part is quoted by itself. */
export function parameterList(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([key, value]) => `${parameterKey(key)} = ${quoteLiteral(value)}`).join(", ");
}

export function parameterKey(key: string): string {
  return key.split(".").map(quoteIdentifier).join(".");
}

/** As the catalog spells values in reloptions, so that both can be compared. */
export function parameterText(value: PropertyValue): string {
  return typeof value === "object" ? value.join(",") : String(value);
}

function textOf(value: PropertyValue | undefined): string | null {
  return value === undefined ? null : parameterText(value);
}
