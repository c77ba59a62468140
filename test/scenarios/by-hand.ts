import type { CatalogRelation, Grant } from "../../server/core/catalog/catalog.ts";
import { anOutsideObject, type OutsideSketch } from "../builders/catalog.ts";
import { type World, withRelation } from "../builders/plan.ts";

/**
 * What people do in a warehouse beside the project, a line each:
 *
 *     view bi.items of bi_owner reads repro.stg_items(id, name)
 *     function shop.fr() of ops reads shop.v(*)
 *     grant SELECT on shop.late to reader
 *     grant SELECT (id) on shop.late to bi
 *     comment on shop.late: owned by ops
 *     option on shop.late: security_barrier=true
 *     owner of shop.v: team_a
 *     rule on shop.orders_v: r
 *     trigger on shop.orders_v: t
 *     index on default.my_mv: hand_ix
 *     drop default.my_mv
 */
export function actByHand(world: World, line: string): World {
  const object = /^(.+?) (\S+?)(\(\))? of (\S+) reads (.+)$/.exec(line);
  if (object !== null) {
    const [, type = "", name = "", parentheses = "", owner = "", reads = ""] = object;
    const made = anOutsideObject(type, name, owner, usesOf(reads));
    const named = { ...made, object: { ...made.object, name: `${made.object.name}${parentheses}` } };
    return { ...world, outside: [...world.outside, named] };
  }
  const grant = /^grant (\w+)(?: \((\w+)\))? on (\S+) to (\S+)$/.exec(line);
  if (grant !== null) {
    const [, privilege = "", column, name = "", grantee = ""] = grant;
    return withRelation(world, name, (relation) => granted(relation, privilege, column, grantee));
  }
  const fact = /^(comment|option|owner|rule|trigger|index) (?:on|of) (\S+): (.+)$/.exec(line);
  if (fact !== null) {
    const [, what = "", name = "", value = ""] = fact;
    const after = withRelation(world, what === "index" ? physicalOf(world, name) : name, (relation) =>
      stated(relation, what, value),
    );
    return what === "rule" || what === "trigger" ? withPart(after, what, name, value) : after;
  }
  const dropped = /^drop (\S+)$/.exec(line);
  if (dropped !== null) return without(world, dropped[1] ?? "");
  throw new Error(`not understood: ${line}`);
}

/** The catalog lists a rule or a trigger among what hangs on its view, too. */
function withPart(world: World, type: string, view: string, own: string): World {
  const [schema = "", name = ""] = view.split(".");
  const part = anOutsideObject(type, view, "deploy", { [view]: "unknown" });
  return { ...world, outside: [...world.outside, { ...part, object: { schema, name: `${own} on ${name}`, type } }] };
}

function usesOf(reads: string): OutsideSketch["uses"] {
  return Object.fromEntries(
    [...reads.matchAll(/(\S+?)\(([^)]*)\)/g)].map(([, name = "", columns = ""]) => {
      return [name, columns === "*" ? ("unknown" as const) : columns.split(",").map((column) => column.trim())];
    }),
  );
}

function granted(
  relation: CatalogRelation,
  privilege: string,
  column: string | undefined,
  grantee: string,
): CatalogRelation {
  const grant: Grant = { grantor: relation.owner, grantee, privilege, grantable: false };
  if (column === undefined) return { ...relation, grants: [...relation.grants, grant] };
  const columns = relation.columns.map((each) =>
    each.name === column ? { ...each, grants: [...each.grants, grant] } : each,
  );
  return { ...relation, columns };
}

function stated(relation: CatalogRelation, what: string, value: string): CatalogRelation {
  switch (what) {
    case "comment":
      return { ...relation, comment: value };
    case "option":
      return { ...relation, options: [...relation.options, value].sort() };
    case "owner":
      return { ...relation, owner: value };
    case "rule":
      return { ...relation, rules: [...relation.rules, value] };
    case "trigger":
      return { ...relation, triggers: [...relation.triggers, value] };
    default: {
      const index = { name: value, definition: `CREATE INDEX ${value} ON …`, unique: false, valid: true };
      return { ...relation, indexes: [...relation.indexes, index] };
    }
  }
}

/** Behind a name of an environment; a name itself where nothing is behind it. */
function physicalOf(world: World, name: string): string {
  const promoted = world.environments.flatMap((each) => each.models);
  const found = promoted.find((each) => each.view !== null && `${each.view.schema}.${each.view.name}` === name);
  return found?.relation === null || found === undefined ? name : `${found.relation.schema}.${found.relation.name}`;
}

function without(world: World, name: string): World {
  const relations = world.catalog.relations.filter((each) => `${each.name.schema}.${each.name.name}` !== name);
  return { ...world, catalog: { ...world.catalog, relations } };
}
