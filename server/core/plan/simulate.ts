import { hashJson, type Json } from "../base/hash.ts";
import { compareText, type RelationName, relationKey } from "../base/relation-name.ts";
import { assertNever } from "../base/result.ts";
import type { Catalog, CatalogColumn, CatalogRelation, RelationKind } from "../catalog/catalog.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";
import type { Action } from "./action.ts";
import type { PlanEffects } from "./plan.ts";

/**
 * Carries a plan out on a catalog value. Not what a server would do in every detail, but enough to hold a plan to its
 * word: nothing is touched that isn't there, nothing is made that is there already, and what is promised is there
 * afterwards. Each breach is a sentence; a plan without any is sound.
 */
export interface Simulation {
  readonly catalog: Catalog;
  readonly breaches: readonly string[];
}

interface World {
  readonly schemas: Set<string>;
  readonly relations: Map<string, CatalogRelation>;
  readonly columns: ReadonlyMap<string, readonly OutputColumn[]>;
  readonly role: string;
  /** What was dropped to come back, as it was. */
  readonly aside: Map<string, CatalogRelation>;
  internalReady: boolean;
}

export function simulate(effects: PlanEffects, catalog: Catalog): Simulation {
  const world: World = {
    schemas: new Set(catalog.schemas.map((schema) => schema.name)),
    relations: new Map(catalog.relations.map((relation) => [relationKey(relation.name), relation])),
    columns: promisedColumns(effects),
    role: catalog.server.role,
    aside: new Map(),
    internalReady: catalog.internalReady,
  };
  const breaches = effects.actions.flatMap((action) => step(world, action) ?? []);
  const relations = [...world.relations.values()].map(withFingerprint);
  const owner = catalog.server.role;
  const known = new Map(catalog.schemas.map((schema) => [schema.name, schema]));
  return {
    catalog: {
      ...catalog,
      internalReady: world.internalReady,
      schemas: [...world.schemas]
        .sort(compareText)
        .map((name) => known.get(name) ?? { name, owner, mayCreate: true, mayUse: true }),
      relations: relations.sort((a, b) => compareText(relationKey(a.name), relationKey(b.name))),
    },
    breaches,
  };
}

/** What versions and names are to have as columns once all is done. */
function promisedColumns(effects: PlanEffects): ReadonlyMap<string, readonly OutputColumn[]> {
  const columns = new Map<string, readonly OutputColumn[]>();
  for (const promoted of effects.promotion) {
    if (promoted.relation !== null) columns.set(relationKey(promoted.relation), promoted.columns);
    if (promoted.view === null) continue;
    const served = promoted.served.flatMap((name) => promoted.columns.filter((column) => column.name === name));
    columns.set(relationKey(promoted.view), served);
  }
  return columns;
}

/** @returns what the action can't do, or null. */
function step(world: World, action: Action): string | null {
  const { target } = action;
  const key = relationKey(target);
  switch (action.kind) {
    case "set_up_internal":
      world.internalReady = true;
      return null;
    case "create_schema":
      world.schemas.add(target.name);
      return null;
    case "create_view":
    case "create_virtual_view":
      return make(world, action, "view");
    case "create_materialized_view":
      return make(world, action, "materialized_view");
    case "create_table":
      return make(world, action, "table");
    case "replace_virtual_view":
    case "recreate_virtual_view":
      return change(world, action, "view", (view) => ({
        ...view,
        columns: catalogColumns(world.columns.get(key) ?? [], view),
        options: renderedOptions(action),
        definition: definitionOf(action),
      }));
    case "drop_virtual_view":
      return remove(world, action);
    case "refresh_materialized_view":
      // Somebody's, which the catalog's list may not hold.
      if (action.strategy === "recreate" && !world.relations.has(key)) return null;
      return change(world, action, "materialized_view", (view) => ({ ...view, populated: true }));
    case "fill_table":
    case "load_seed":
      return change(world, action, "table", (table) => table);
    case "alter_table":
      return change(world, action, "table", (table) => ({
        ...table,
        columns: catalogColumns(world.columns.get(key) ?? [], table),
      }));
    case "create_index":
      return change(world, action, null, (relation) => ({
        ...relation,
        indexes: [...relation.indexes, renderedIndex(action)],
      }));
    case "drop_index":
      return change(world, action, null, (relation) => ({
        ...relation,
        indexes: relation.indexes.filter(
          (index) => !action.statements.some((each) => each.sql.includes(`"${index.name}"`)),
        ),
      }));
    case "comment":
      return change(world, action, null, (relation) => ({
        ...relation,
        comment: renderedComment(action) ?? relation.comment,
      }));
    case "set_storage":
      return change(world, action, null, (relation) => ({
        ...relation,
        options: changedOptions(action, relation.options),
      }));
    case "drop_object":
      return takeAway(world, action);
    case "recreate_object":
      return bringBack(world, action);
    case "hold_objects":
    case "check_objects":
    case "rebind_object":
    case "rebind_virtual_view":
    case "drop_aside_view":
    case "drop_version":
      return null;
    case "analyze":
    case "set_access":
    case "run_statement":
      return world.relations.has(key) || action.kind === "run_statement" ? null : breach(action, "isn't there");
    default:
      return assertNever(action.kind);
  }
}

function make(world: World, action: Action, kind: RelationKind): string | null {
  const key = relationKey(action.target);
  if (world.relations.has(key)) return breach(action, "is there already");
  if (!world.schemas.has(action.target.schema)) return breach(action, `has no schema ${action.target.schema}`);
  const name: RelationName = { schema: action.target.schema, name: action.target.name };
  const columns = world.columns.get(key);
  if (columns === undefined) return breach(action, "is promised nowhere");
  const old = action.strategy === "recreate" ? (world.aside.get(key) ?? null) : null;
  if (old !== null) {
    world.relations.set(key, {
      ...old,
      columns: catalogColumns(columns, old),
      options: renderedOptions(action),
      definition: definitionOf(action),
    });
    return null;
  }
  world.relations.set(key, {
    name,
    kind,
    owner: world.role,
    mayAlter: true,
    columns: catalogColumns(columns, null),
    options: renderedOptions(action),
    grants: [],
    comment: renderedComment(action),
    indexes: [],
    rules: [],
    triggers: [],
    definition: definitionOf(action),
    populated: kind === "materialized_view" ? false : null,
    estimatedRows: null,
    bytes: null,
    extension: null,
    fingerprint: "",
  });
  return null;
}

function remove(world: World, action: Action): string | null {
  const refused = change(world, action, "view", (view) => view);
  return refused ?? takeAway(world, action);
}

/** Functions, rules and the like aren't in the catalog's list: nothing is known of them here. */
function takeAway(world: World, action: Action): null {
  const key = relationKey(action.target);
  const relation = world.relations.get(key);
  if (relation !== undefined) world.aside.set(key, relation);
  world.relations.delete(key);
  return null;
}

/** As it was; a materialized view without rows, which are another action's. */
function bringBack(world: World, action: Action): string | null {
  const key = relationKey(action.target);
  if (world.relations.has(key)) return breach(action, "is there already");
  const relation = world.aside.get(key);
  if (relation !== undefined) {
    world.relations.set(key, relation.kind === "materialized_view" ? { ...relation, populated: false } : relation);
  }
  return null;
}

function change(
  world: World,
  action: Action,
  kind: RelationKind | null,
  next: (relation: CatalogRelation) => CatalogRelation,
): string | null {
  const key = relationKey(action.target);
  const present = world.relations.get(key);
  if (present === undefined) return breach(action, "isn't there");
  if (kind !== null && present.kind !== kind) return breach(action, `is a ${present.kind}`);
  world.relations.set(key, next(present));
  return null;
}

function breach(action: Action, what: string): string {
  return `${action.id} ${action.kind}: ${relationKey(action.target)} ${what}`;
}

/** Comments and grants of columns that stay are kept by whatever replaces in place. */
function catalogColumns(columns: readonly OutputColumn[], before: CatalogRelation | null): readonly CatalogColumn[] {
  return columns.map((column) => {
    const same = before?.columns.find((each) => each.name === column.name);
    const rest = same ?? { notNull: false, hasDefault: false, comment: null, grants: [] };
    return { ...rest, name: column.name, type: column.type, collation: column.collation };
  });
}

const OPTION_LIST = / (?:WITH|SET) \(((?:"[^"]+"(?:\."[^"]+")? = '[^']*'(?:, )?)+)\)/;

function renderedOptions(action: Action): readonly string[] {
  const lists = action.statements.map((statement) => OPTION_LIST.exec(statement.sql)?.[1] ?? "");
  return lists.flatMap(optionsIn).sort();
}

function optionsIn(list: string): readonly string[] {
  return [...list.matchAll(/("[^"]+"(?:\."[^"]+")?) = '([^']*)'/g)].map(
    ([, key = "", value = ""]) => `${key.replaceAll('"', "")}=${value}`,
  );
}

/** SET replaces options of the same key, RESET takes them away. */
function changedOptions(action: Action, before: readonly string[]): readonly string[] {
  const set = renderedOptions(action);
  const reset = action.statements.flatMap(
    (statement) => / RESET \(([^)]*)\)/.exec(statement.sql)?.[1]?.split(", ") ?? [],
  );
  const gone = new Set([...set.map(optionKey), ...reset.map((key) => key.replaceAll('"', ""))]);
  return [...before.filter((option) => !gone.has(optionKey(option))), ...set].sort();
}

function optionKey(option: string): string {
  return option.split("=", 1)[0] ?? option;
}

function renderedComment(action: Action): string | null {
  const comment = action.statements.find((statement) =>
    /^COMMENT ON (VIEW|TABLE|MATERIALIZED VIEW) /.test(statement.sql),
  );
  const text = comment === undefined ? null : / IS '((?:[^']|'')*)'$/.exec(comment.sql);
  return text?.[1] === undefined ? null : text[1].replaceAll("''", "'");
}

function renderedIndex(action: Action): CatalogRelation["indexes"][number] {
  const definition = action.statements[0]?.sql ?? "";
  const name = /INDEX "((?:[^"]|"")+)"/.exec(definition)?.[1] ?? "";
  return { name, definition, unique: definition.startsWith("CREATE UNIQUE"), valid: true };
}

function definitionOf(action: Action): string | null {
  return action.statements.findLast((statement) => statement.sql.startsWith("CREATE"))?.sql ?? null;
}

function withFingerprint(relation: CatalogRelation): CatalogRelation {
  const { fingerprint: _old, estimatedRows: _rows, bytes: _bytes, ...rest } = relation;
  return { ...relation, fingerprint: hashJson(rest as unknown as Json) };
}
