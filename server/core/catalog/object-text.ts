import { displayIdentifier, relationKey } from "../base/relation-name.ts";
import type { ObjectName } from "./catalog.ts";

/**
 * An object as people read it: `view bi.revenue`, `function bi.total(integer)`, `trigger audit on shop.orders`,
 * `extension hstore`. Only relations have a bare name; what has arguments or stands on something is text already.
 */
export function objectText(object: ObjectName): string {
  const { schema, name, type } = object;
  const [own, host] = name.split(" on ");
  if (host !== undefined && ON_A_RELATION.has(type)) return `${type} ${own} on ${displayIdentifier(schema)}.${host}`;
  if (RELATIONS.has(type)) return `${type} ${relationKey({ schema, name })}`;
  return schema === "" ? `${type} ${name}` : `${type} ${displayIdentifier(schema)}.${name}`;
}

const RELATIONS: ReadonlySet<string> = new Set([
  "table",
  "view",
  "materialized view",
  "foreign table",
  "sequence",
  "index",
  "composite type",
]);

const ON_A_RELATION: ReadonlySet<string> = new Set(["rule", "trigger", "policy", "default value", "table constraint"]);
