import { placeLanes } from "./place-lanes.ts";
import { type RoutedEdge, routeEdges } from "./route-edges.ts";

export interface GraphInput {
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly lane: string;
    readonly managed: boolean;
    readonly width: number;
    readonly height: number;
  }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface PlacedNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly layer: number;
}

export interface PlacedLane {
  readonly name: string;
  readonly managed: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly nodes: ReadonlyMap<string, PlacedNode>;
  readonly lanes: readonly PlacedLane[];
  readonly edges: readonly RoutedEdge[];
  readonly width: number;
  readonly height: number;
}

/**
 * Left to right by longest path, one lane a schema, what isn't ours below. Deterministic, and fast enough to run while
 * somebody types (1,000 nodes in about 10 ms, where general layouters take seconds).
 */
export function layoutGraph(input: GraphInput): Layout {
  const layers = layersOf(input);
  const { nodes, lanes, width, height, gaps } = placeLanes(input, layers);
  return { nodes, lanes, width, height, edges: routeEdges(input.edges, nodes, gaps) };
}

/** Longest path from a source. Edges that close a cycle (the data may hold one) are left out of the count. */
export function layersOf(input: GraphInput): ReadonlyMap<string, number> {
  const parents = new Map<string, string[]>(input.nodes.map((node) => [node.id, []]));
  for (const { from, to } of input.edges) if (parents.has(from)) parents.get(to)?.push(from);
  const layers = new Map<string, number>();
  const open = new Set<string>();
  // An explicit stack: chains of thousands would overflow the call stack.
  for (const { id: root } of input.nodes) {
    const stack = [root];
    while (stack.length > 0) {
      const id = stack[stack.length - 1] as string;
      if (layers.has(id)) {
        stack.pop();
        continue;
      }
      open.add(id);
      const waiting = (parents.get(id) ?? []).filter((parent) => !layers.has(parent) && !open.has(parent));
      if (waiting.length > 0) {
        stack.push(...waiting);
        continue;
      }
      const above = (parents.get(id) ?? []).map((parent) => layers.get(parent) ?? -1);
      layers.set(id, Math.max(-1, ...above) + 1);
      open.delete(id);
      stack.pop();
    }
  }
  return layers;
}
