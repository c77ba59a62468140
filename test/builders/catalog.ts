import { hashJson, type Json } from "../../server/core/base/hash.ts";
import { compareText, type RelationName, relationKey } from "../../server/core/base/relation-name.ts";
import type {
  Catalog,
  CatalogColumn,
  CatalogRelation,
  Closure,
  ClosureMember,
  ObjectName,
  ServerFacts,
} from "../../server/core/catalog/catalog.ts";
import type { OutputColumn } from "../../server/core/snapshot/output-column.ts";
import { columnsOf } from "./snapshot.ts";

export const aServer: ServerFacts = {
  version: 150018,
  database: "warehouse",
  role: "deploy",
  superuser: false,
  mayCreateSchemas: true,
  deadlockTimeoutMs: 1_000,
  lockSlots: 12_800,
};

export function aCatalog(given: Partial<Catalog> = {}): Catalog {
  return {
    server: aServer,
    schemas: [],
    relations: [],
    closures: [],
    environmentMarker: null,
    internalReady: false,
    ...given,
  };
}

/** `id integer, name text` as columns of a relation. */
export function catalogColumnsOf(text: string): readonly CatalogColumn[] {
  return outputColumnsOf(text).map((column) => ({
    ...column,
    notNull: false,
    hasDefault: false,
    comment: null,
    grants: [],
  }));
}

export function outputColumnsOf(text: string): readonly OutputColumn[] {
  return columnsOf(text).map((column) => ({ ...column, collation: null }));
}

export function relationOf(text: string): RelationName {
  const [schema = "", name = ""] = text.split(".");
  return { schema, name };
}

export type RelationSketch = Partial<Omit<CatalogRelation, "name" | "columns" | "fingerprint">> & {
  readonly name: string;
  readonly columns?: string | readonly CatalogColumn[];
};

export function aRelation(sketch: RelationSketch): CatalogRelation {
  const { name, columns = "id integer", ...rest } = sketch;
  const relation = {
    kind: "view" as const,
    owner: aServer.role,
    mayAlter: true,
    options: [],
    grants: [],
    comment: null,
    indexes: [],
    rules: [],
    triggers: [],
    definition: null,
    populated: null,
    estimatedRows: null,
    bytes: null,
    extension: null,
    ...rest,
    name: relationOf(name),
    columns: typeof columns === "string" ? catalogColumnsOf(columns) : columns,
  };
  return { ...relation, fingerprint: hashJson(relation as unknown as Json) };
}

/** Somebody's object, and what it reads: `{ "repro.stg_items": ["id"] }`. */
export interface OutsideSketch {
  readonly object: ObjectName;
  readonly owner: string;
  readonly uses: { readonly [relation: string]: readonly string[] | "unknown" };
}

export function anOutsideObject(type: string, name: string, owner: string, uses: OutsideSketch["uses"]): OutsideSketch {
  return { object: { ...relationOf(name), type }, owner, uses };
}

/** What hangs on each root, directly and through others, as the catalog reader would find it. */
export function closuresOf(
  roots: readonly RelationName[],
  outside: readonly OutsideSketch[],
  typeOf: (relation: string) => string,
): readonly Closure[] {
  const keys = new Map(roots.map((root) => [relationKey(root), root]));
  return [...keys]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, root]) => ({ root, members: membersOf(key, outside, typeOf) }));
}

function membersOf(
  root: string,
  outside: readonly OutsideSketch[],
  typeOf: (relation: string) => string,
): readonly ClosureMember[] {
  const depth = new Map<string, number>([[root, 0]]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const each of outside) {
      const below = Object.keys(each.uses).flatMap((name) => depth.get(name) ?? []);
      const key = relationKey(each.object);
      const next = Math.max(...below) + 1;
      if (below.length > 0 && (depth.get(key) ?? 0) < next) {
        depth.set(key, next);
        grown = true;
      }
    }
  }
  return outside
    .filter((each) => depth.has(relationKey(each.object)) && relationKey(each.object) !== root)
    .map((each) => ({
      object: each.object,
      owner: each.owner,
      treatment: "unit" as const,
      blockedBecause: null,
      depth: depth.get(relationKey(each.object)) ?? 1,
      uses: Object.entries(each.uses)
        .filter(([name]) => depth.has(name))
        .map(([name, columns]) => ({ object: { ...relationOf(name), type: typeOf(name) }, columns })),
      fingerprint: hashJson({ object: { ...each.object }, owner: each.owner }),
    }))
    .sort((a, b) => compareText(relationKey(a.object), relationKey(b.object)));
}
