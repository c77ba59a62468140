import { displayIdentifier } from "../../../core/base/relation-name.ts";
import type { ObjectName } from "../../../core/catalog/catalog.ts";
import type { DependencyNodeRow } from "./dependency-nodes-query.ts";

/**
 * Relations keep their bare name, so that it can be looked up; everything else is named as people write it:
 * `fr(integer)`, `audit on orders`, `orders.total`.
 */
export function nameNode(row: DependencyNodeRow): ObjectName {
  const type = row.type ?? row.catalog;
  if (row.host_name !== null) {
    const name = `${displayIdentifier(row.own_name ?? "")} on ${displayIdentifier(row.host_name)}`;
    return { schema: row.host_schema ?? "", name, type };
  }
  const schema = row.nspname ?? "";
  if (row.catalog === "pg_class" && row.own_name !== null) {
    if (row.attname === null) return { schema, name: row.own_name, type };
    return { schema, name: `${displayIdentifier(row.own_name)}.${displayIdentifier(row.attname)}`, type };
  }
  return { schema, name: withoutSchema(row), type };
}

function withoutSchema(row: DependencyNodeRow): string {
  const identity = row.identity ?? row.own_name ?? "";
  const prefix = row.schema === null ? "" : `${row.schema}.`;
  return identity.startsWith(prefix) ? identity.slice(prefix.length) : identity;
}

/** Null for what could be captured, dropped and made again by a statement of its own; else why it couldn't. */
export function whyNotRestorable(row: DependencyNodeRow): string | null {
  if (row.foreign_temp) return "it is a temporary object of another session, which nobody else can make again";
  switch (row.catalog) {
    case "pg_class":
      return whyNotRelation(row);
    case "pg_rewrite":
    case "pg_trigger":
    case "pg_policy":
    case "pg_statistic_ext":
      return null;
    case "pg_attrdef":
      return row.generated ? "it is a generated column, which would be computed again for every row" : null;
    case "pg_proc":
      return row.prokind === "f" || row.prokind === "p" ? null : "its kind of function can't be captured whole";
    case "pg_constraint":
      return row.contype === "c" && row.host_oid !== null
        ? null
        : "its constraint would be checked again for every row";
    case "pg_extension":
      return "the whole extension would go with it";
    default:
      return `a ${row.type ?? "thing of its kind"} can't be captured whole`;
  }
}

function whyNotRelation(row: DependencyNodeRow): string | null {
  if (row.objsubid > 0) return "it is a column, and its values would be gone";
  switch (row.relkind) {
    case "v":
    case "m":
    case "i":
    case "I":
      return null;
    case "c":
      return "it is a type that columns and functions may be built on";
    case "S":
      return "it is a sequence, and where it stands would be lost";
    default:
      return "it holds rows";
  }
}
