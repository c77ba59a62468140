import type { Hash } from "../base/hash.ts";
import { relationKey } from "../base/relation-name.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { Dependent, Plan } from "../plan/plan.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { changeMark } from "./describe-change.ts";
import type { GraphView } from "./plan-view.ts";

type Node = GraphView["nodes"][number];
type Edge = GraphView["edges"][number];

/** Every model with what it reads, and everybody else's objects; edges run from what is read to its reader. */
export function describeGraph(plan: Plan, snapshots: ReadonlyMap<Hash, Snapshot>): GraphView {
  const nodes = new Map<string, Node>();
  const edges = new Map<string, Edge>();
  const addNode = (node: Node) => nodes.set(node.id, nodes.get(node.id) ?? node);
  const addEdge = (from: string, to: string, certain: boolean) => edges.set(`${from}\n${to}`, { from, to, certain });
  for (const node of modelNodes(plan, snapshots)) addNode(node);
  for (const each of plan.context.lineage) {
    for (const parent of each.reads) addEdge(parent, each.model, true);
    for (const source of each.sources) {
      addNode(sourceNode(source));
      addEdge(sourceId(source), each.model, true);
    }
  }
  const modelOf = servedNames(plan);
  const outside = new Map(plan.effects.dependents.map((dependent) => [relationKey(dependent.object), dependent]));
  for (const dependent of plan.effects.dependents) {
    addNode(dependentNode(dependent));
    for (const use of dependent.of) {
      const key = relationKey(use.object);
      const other = outside.get(key);
      const from = modelOf.get(key) ?? (other === undefined ? undefined : dependentId(other));
      if (from !== undefined) addEdge(from, dependentId(dependent), use.columns !== "unknown");
    }
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()].filter((edge) => nodes.has(edge.from) && nodes.has(edge.to)),
  };
}

function modelNodes(plan: Plan, snapshots: ReadonlyMap<Hash, Snapshot>): readonly Node[] {
  const changes = new Map(plan.effects.changes.map((change) => [change.model, change]));
  const present = plan.context.lineage.map(({ model, kind }): Node => {
    const change = changes.get(model);
    const edited = change?.change === "added" || change?.change === "modified" || change?.change === "metadata";
    return {
      ...splitKey(model),
      id: model,
      kind,
      managed: true,
      owner: null,
      mark: change === undefined ? null : changeMark(plan.effects, change),
      edited,
    };
  });
  const removed = plan.effects.changes
    .filter((change) => change.change === "removed")
    .map((change): Node => {
      const kind = change.previous === null ? undefined : snapshots.get(change.previous)?.model.kind.kind;
      const label = kind === undefined ? "model" : kindCapabilities[kind].label;
      return {
        ...splitKey(change.model),
        id: change.model,
        kind: label,
        managed: true,
        owner: null,
        mark: "drop",
        edited: true,
      };
    });
  return [...present, ...removed];
}

/** From names in the environment, and from physical names, to models. */
function servedNames(plan: Plan): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const change of plan.effects.changes)
    if (change.view !== null) names.set(relationKey(change.view), change.model);
  for (const promoted of plan.effects.promotion) {
    if (promoted.view !== null) names.set(relationKey(promoted.view), promoted.model);
    if (promoted.relation !== null) names.set(relationKey(promoted.relation), promoted.model);
  }
  return names;
}

function dependentNode(dependent: Dependent): Node {
  const { object, owner, managed, fate } = dependent;
  const mark = fate === "recreated" ? "recreate" : fate === "replaced" ? "replace" : fate;
  const { schema, name: label, type: kind } = object;
  return { id: dependentId(dependent), label, schema, kind, managed, owner, mark, edited: false };
}

function dependentId(dependent: Dependent): string {
  const { type, schema, name } = dependent.object;
  return `${type} ${schema}.${name}`;
}

function sourceId(source: string): string {
  return `source ${source}`;
}

function sourceNode(source: string): Node {
  return {
    ...splitKey(source),
    id: sourceId(source),
    kind: "source",
    managed: false,
    owner: null,
    mark: null,
    edited: false,
  };
}

function splitKey(key: string): { readonly schema: string; readonly label: string } {
  const match = /^("(?:[^"]|"")*"|[^".]+)\.(.+)$/u.exec(key);
  return match?.[1] === undefined || match[2] === undefined
    ? { schema: "default", label: key }
    : { schema: match[1], label: match[2] };
}
