import { compareText, relationKey } from "../../../core/base/relation-name.ts";
import type { CatalogRelation, Closure, ClosureMember } from "../../../core/catalog/catalog.ts";
import type { RunQuery } from "../query.ts";
import { dependencyEdgesQuery } from "./dependency-edges-query.ts";
import { type DependencyNodeRow, dependencyNodesQuery, type NodeAddress } from "./dependency-nodes-query.ts";
import { foldClosure } from "./fold-closure.ts";
import { type RelationsRead, readRelations } from "./read-relations.ts";
import { buildDependencyGraph, type DependencyGraph, internalOwner, objectId, walkClosure } from "./walk-closure.ts";

/**
 * One read of pg_depend for all roots, then each root's closure by itself. `others` are relations that are wanted
 * besides; `relations` of the answer holds them, the roots, and every relation of a closure.
 */
export async function readClosures(
  run: RunQuery,
  roots: readonly number[],
  others: readonly number[],
): Promise<{ readonly closures: readonly Closure[]; readonly relations: readonly CatalogRelation[] }> {
  const graph = buildDependencyGraph(roots.length === 0 ? [] : await run(dependencyEdgesQuery(roots)));
  const classid = roots.length === 0 ? 0 : await classOfRelations(run);
  const walks = roots.map((objid) => walkClosure(graph, { classid, objid, objsubid: 0 }));
  const nodes = await readNodes(run, graph, walks);
  const isRelation = (node: NodeAddress): boolean => node.classid === classid && node.objsubid === 0;
  const members = walks.flatMap((walk) => walk.filter(isRelation).map((node) => node.objid));
  const read = await readRelations(run, [...new Set([...others, ...roots, ...members])]);
  const fingerprints = new Map([...read.relations.values()].map((each) => [relationKey(each.name), each.fingerprint]));
  const around = { classid, graph, nodes, read, fingerprints };
  const closures = roots.flatMap((root, index) => describeClosure(root, walks[index] ?? [], around));
  return {
    closures: sortByKey(closures, (each) => relationKey(each.root)),
    relations: sortByKey([...read.relations.values()], (each) => relationKey(each.name)),
  };
}

/** A key costs more than a comparison, so each is made once. */
function sortByKey<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((a, b) => compareText(a.key, b.key)).map(({ item }) => item);
}

interface Surroundings {
  readonly classid: number;
  readonly graph: DependencyGraph;
  readonly nodes: ReadonlyMap<string, DependencyNodeRow>;
  readonly read: RelationsRead;
  /** By the relation's key: of all closures together, since each may hold most of the others' members. */
  readonly fingerprints: ReadonlyMap<string, string>;
}

function describeClosure(root: number, walk: readonly NodeAddress[], around: Surroundings): readonly Closure[] {
  const relation = around.read.relations.get(root);
  if (relation === undefined) return [];
  const members = foldClosure({
    root: {
      classid: around.classid,
      objid: root,
      name: { ...relation.name, type: relation.kind.replaceAll("_", " ") },
    },
    walk,
    describe: (node) => around.nodes.get(addressKey(node)) ?? null,
    graph: around.graph,
    columnName: around.read.columnName,
  });
  return [{ root: relation.name, members: members.map((member) => withFingerprint(member, around.fingerprints)) }];
}

/** Names of relations are unique in a schema, and a function or rule is never named like one: `f()`, `r on v`. */
function withFingerprint(
  member: Omit<ClosureMember, "fingerprint">,
  fingerprints: ReadonlyMap<string, string>,
): ClosureMember {
  return { ...member, fingerprint: fingerprints.get(relationKey(member.object)) ?? null };
}

async function readNodes(
  run: RunQuery,
  graph: DependencyGraph,
  walks: readonly (readonly NodeAddress[])[],
): Promise<ReadonlyMap<string, DependencyNodeRow>> {
  const units = new Map<string, NodeAddress>();
  for (const walk of walks) {
    for (const node of walk) {
      const isPart = node.objsubid === 0 && internalOwner(graph, objectId(node.classid, node.objid)) !== null;
      if (!isPart) units.set(addressKey(node), node);
    }
  }
  if (units.size === 0) return new Map();
  const rows = await run(dependencyNodesQuery([...units.values()]));
  return new Map(rows.map((row) => [addressKey(row), row]));
}

function addressKey(node: NodeAddress): string {
  return `${node.classid}.${node.objid}.${node.objsubid}`;
}

/** OID of pg_class itself: 1259 since ever, but asked rather than believed. */
async function classOfRelations(run: RunQuery): Promise<number> {
  const rows = await run<{ readonly oid: number }>({
    text: "SELECT 'pg_catalog.pg_class'::pg_catalog.regclass::oid AS oid",
    values: [],
  });
  return rows[0]?.oid ?? 1259;
}
