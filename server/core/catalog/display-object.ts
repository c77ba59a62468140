import { displayIdentifier } from "../base/relation-name.ts";
import type { ObjectName } from "./catalog.ts";

/**
 * An object's name as people read it, without its kind: `bi.revenue`, `bi.total(integer)`, `audit on shop.orders`,
 * `hstore`. Only relations and types have a bare name; with arguments, columns or a host the name is text already
 * (see ClosureMember).
 */
export function displayObject({ schema, name, type }: ObjectName): string {
  if (type === "schema" || schema === "") return NAMED_IN_TEXT.has(type) ? name : displayIdentifier(name);
  if (ON_A_RELATION.has(type)) {
    const [own, host] = name.split(" on ");
    if (host !== undefined) return `${own} on ${displayIdentifier(schema)}.${host}`;
  }
  return `${displayIdentifier(schema)}.${BARE.has(type) ? displayIdentifier(name) : name}`;
}

const BARE: ReadonlySet<string> = new Set([
  "table",
  "partitioned table",
  "view",
  "materialized view",
  "foreign table",
  "sequence",
  "index",
  "composite type",
  "schema",
]);

const ON_A_RELATION: ReadonlySet<string> = new Set(["rule", "trigger", "policy", "default value", "table constraint"]);

/** Without a schema, and not a bare identifier either. */
const NAMED_IN_TEXT: ReadonlySet<string> = new Set(["cast", "operator of access method", "function of access method"]);
