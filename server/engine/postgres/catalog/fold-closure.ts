import { compareText } from "../../../core/base/relation-name.ts";
import type { ClosureMember, ColumnUse, ObjectName } from "../../../core/catalog/catalog.ts";
import type { DependencyEdgeRow } from "./dependency-edges-query.ts";
import type { DependencyNodeRow, NodeAddress } from "./dependency-nodes-query.ts";
import { nameNode, whyNotRestorable } from "./describe-node.ts";
import { longestPaths } from "./longest-paths.ts";
import { type DependencyGraph, internalOwner, type ObjectId, objectId, walkClosure } from "./walk-closure.ts";

/** What a closure is folded from. `columnName` answers for every relation of the closure and for the root. */
export interface ClosureRows {
  readonly root: { readonly classid: number; readonly objid: number; readonly name: ObjectName };
  /** Every node of the walk, parts among them. */
  readonly walk: readonly NodeAddress[];
  /** What is known of those that aren't internal parts. */
  readonly describe: (node: NodeAddress) => DependencyNodeRow | null;
  readonly graph: DependencyGraph;
  readonly columnName: (relation: number, attnum: number) => string | null;
}

/** A unit: an object as a whole by its id, one column of a relation that stays by a text. */
type UnitKey = ObjectId | string;

/**
 * Catalog rows folded into what people call objects. A view is one object, though the catalog has four rows for it
 * (relation, `_RETURN` rule, row type, array type); rules, triggers, policies, defaults, statistics and indexes stay
 * objects of their own: merged into their relation, a rule on one view that reads another would be a cycle.
 */
export function foldClosure(rows: ClosureRows): readonly Omit<ClosureMember, "fingerprint">[] {
  const rootId = objectId(rows.root.classid, rows.root.objid);
  const folding = makeFolding(rows, rootId);
  const uses = collectUses(rows, folding);
  const parents = (key: UnitKey): readonly UnitKey[] => [...(uses.get(key)?.keys() ?? [])];
  const depths = longestPaths<UnitKey>(rootId, [...folding.units.keys()], parents);
  const names = new Map<UnitKey, ObjectName>([[rootId, rows.root.name]]);
  for (const [key, node] of folding.units) names.set(key, nameNode(node));
  const members = [...folding.units].map(([key, node]) => {
    const blockedBecause = whyNotRestorable(node);
    return {
      object: names.get(key) ?? rows.root.name,
      owner: node.owner ?? "",
      treatment: blockedBecause === null ? ("unit" as const) : ("blocked" as const),
      blockedBecause,
      depth: depths.get(key) ?? 1,
      uses: describeUses(uses.get(key) ?? new Map(), folding, rows, names),
    };
  });
  return members.sort((a, b) => a.depth - b.depth || compareObjects(a.object, b.object));
}

interface Folding {
  readonly units: ReadonlyMap<UnitKey, DependencyNodeRow>;
  /** The unit that a catalog row belongs to; null for what is neither in the closure nor the root. */
  readonly unitOf: (id: ObjectId, objsubid: number) => UnitKey | null;
}

function makeFolding(rows: ClosureRows, rootId: ObjectId): Folding {
  const wholes = new Set<ObjectId>([rootId]);
  for (const node of rows.walk) if (node.objsubid === 0) wholes.add(objectId(node.classid, node.objid));
  const owners = new Map<ObjectId, ObjectId>(membersOfExtensions(rows));
  const units = new Map<UnitKey, DependencyNodeRow>();
  for (const node of rows.walk) {
    const id = objectId(node.classid, node.objid);
    const owner = node.objsubid === 0 ? (owners.get(id) ?? partOf(node, rows, wholes)) : null;
    const row = owner === null ? rows.describe(node) : null;
    if (owner !== null) owners.set(id, owner);
    if (row !== null) units.set(node.objsubid === 0 ? id : columnKey(id, node.objsubid), row);
  }
  const unitOf = (id: ObjectId, objsubid: number): UnitKey | null => {
    let key: UnitKey = wholes.has(id) ? id : columnKey(id, objsubid);
    // Array type to row type to view, index to constraint to table: never more than a few hops.
    for (let owner = owners.get(id); owner !== undefined; owner = owners.get(owner)) key = owner;
    return key === rootId || units.has(key) ? key : null;
  };
  return { units, unitOf };
}

/** Members that go only because their extension goes: its types, operators and functions, which nobody needs to be told of. */
function membersOfExtensions(rows: ClosureRows): readonly (readonly [ObjectId, ObjectId])[] {
  const memberships: DependencyEdgeRow[] = [];
  for (const node of rows.walk) {
    for (const edge of rows.graph.from.get(objectId(node.classid, node.objid)) ?? []) {
      if (edge.deptype === "e") memberships.push(edge);
    }
  }
  if (memberships.length === 0) return [];
  const direct = walkClosure(rows.graph, { ...rows.root, objsubid: 0 }, "i");
  const reached = new Set(direct.map((node) => objectId(node.classid, node.objid)));
  return memberships
    .map((edge) => [objectId(edge.classid, edge.objid), objectId(edge.refclassid, edge.refobjid)] as const)
    .filter(([member]) => !reached.has(member));
}

/** The object that this one comes and goes with, where that goes as a whole; null for a unit of its own. */
function partOf(node: NodeAddress, rows: ClosureRows, wholes: ReadonlySet<ObjectId>): ObjectId | null {
  const id = objectId(node.classid, node.objid);
  const owner = internalOwner(rows.graph, id);
  if (owner !== null) return wholes.has(owner) ? owner : null;
  const row = rows.describe(node);
  if (row === null) return null;
  const host = row.host_oid === null ? null : objectId(rows.root.classid, row.host_oid);
  const madeWithTable = row.catalog === "pg_constraint" || (row.catalog === "pg_attrdef" && row.host_kind !== "v");
  if (madeWithTable) return host !== null && wholes.has(host) ? host : null;
  return hangsAutomatically(row) ? automaticOwner(id, rows, wholes) : null;
}

/** A serial sequence on its column, the index of a TOAST table on that table, an operator of an index method on its family. */
function hangsAutomatically(row: DependencyNodeRow): boolean {
  return row.relkind === "S" || row.nspname === "pg_toast" || row.catalog === "pg_amop" || row.catalog === "pg_amproc";
}

function automaticOwner(id: ObjectId, rows: ClosureRows, wholes: ReadonlySet<ObjectId>): ObjectId | null {
  for (const edge of rows.graph.from.get(id) ?? []) {
    const owner = objectId(edge.refclassid, edge.refobjid);
    if (edge.deptype === "a" && wholes.has(owner)) return owner;
  }
  return null;
}

/** From each unit to the units it reads. */
type Uses = Map<UnitKey, Map<UnitKey, Use>>;

interface Use {
  readonly columns: Set<number>;
  /** Through its row type: then every column counts, whatever else is named. */
  rowType: boolean;
}

function collectUses(rows: ClosureRows, folding: Folding): Uses {
  const uses: Uses = new Map();
  for (const node of rows.walk) {
    const from = folding.unitOf(objectId(node.classid, node.objid), node.objsubid);
    if (from === null) continue;
    for (const edge of rows.graph.from.get(objectId(node.classid, node.objid)) ?? []) {
      if (node.objsubid !== 0 && edge.objsubid !== node.objsubid) continue;
      const to = folding.unitOf(objectId(edge.refclassid, edge.refobjid), edge.refobjsubid);
      if (to === null || from === to) continue;
      // A member goes first and takes its extension along: the extension hangs on it, though the catalog says the reverse.
      if (edge.deptype === "e" && folding.units.has(to)) findUse(uses, to, from);
      else recordUse(findUse(uses, from, to), edge, rows.root.classid);
    }
  }
  return uses;
}

function findUse(uses: Uses, from: UnitKey, to: UnitKey): Use {
  const targets = uses.get(from) ?? new Map<UnitKey, Use>();
  uses.set(from, targets);
  const use = targets.get(to) ?? { columns: new Set<number>(), rowType: false };
  targets.set(to, use);
  return use;
}

function recordUse(use: Use, edge: DependencyEdgeRow, relations: number): void {
  if (edge.refclassid !== relations) use.rowType = true;
  else if (edge.refobjsubid > 0) use.columns.add(edge.refobjsubid);
}

function describeUses(
  targets: ReadonlyMap<UnitKey, Use>,
  folding: Folding,
  rows: ClosureRows,
  names: ReadonlyMap<UnitKey, ObjectName>,
): readonly ColumnUse[] {
  const uses = [...targets].map(([key, use]): ColumnUse => {
    const columns = namesOf(folding.units.get(key)?.objid ?? rows.root.objid, use.columns, rows);
    return {
      object: names.get(key) ?? rows.root.name,
      columns: use.rowType || columns.length === 0 ? "unknown" : columns,
    };
  });
  return uses.sort((a, b) => compareObjects(a.object, b.object));
}

function namesOf(relation: number, columns: ReadonlySet<number>, rows: ClosureRows): readonly string[] {
  return [...columns]
    .sort((a, b) => a - b)
    .map((attnum) => rows.columnName(relation, attnum))
    .filter((name) => name !== null);
}

function columnKey(id: ObjectId, objsubid: number): UnitKey {
  return `${id}:${objsubid}`;
}

function compareObjects(a: ObjectName, b: ObjectName): number {
  return compareText(a.schema, b.schema) || compareText(a.name, b.name) || compareText(a.type, b.type);
}
