import type { PlacedNode } from "./layout-graph.ts";

export interface RoutedEdge {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  /** Where the arrow's tip is. */
  readonly end: { readonly x: number; readonly y: number };
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

const RADIUS = 7;
const CLEAR = 5;

/** Right angles with round corners; turns lie in the strips between columns, long runs where no node stands. */
export function routeEdges(
  edges: readonly { readonly from: string; readonly to: string }[],
  nodes: ReadonlyMap<string, PlacedNode>,
  gaps: readonly Gap[],
): readonly RoutedEdge[] {
  const columns = columnsOf(nodes);
  const tracks = new Tracks(gaps);
  const ports = new Ports(edges, nodes);
  return edges.flatMap(({ from, to }) => {
    const source = nodes.get(from);
    const target = nodes.get(to);
    if (source === undefined || target === undefined || source.layer >= target.layer) return [];
    const start = { x: source.x + source.width, y: ports.out(from, to) };
    const end = { x: target.x, y: ports.into(from, to) };
    const points =
      target.layer === source.layer + 1
        ? [start, ...turn(tracks.at(source.layer, from), start.y, end.y), end]
        : around(source, target, start, end, columns, tracks, from, to);
    return [{ from, to, path: pathOf(points), end }];
  });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function turn(x: number, y0: number, y1: number): readonly Point[] {
  return Math.abs(y0 - y1) < 0.5
    ? []
    : [
        { x, y: y0 },
        { x, y: y1 },
      ];
}

function around(
  source: PlacedNode,
  target: PlacedNode,
  start: Point,
  end: Point,
  columns: readonly (readonly PlacedNode[])[],
  tracks: Tracks,
  from: string,
  to: string,
): readonly Point[] {
  const between = columns.slice(source.layer + 1, target.layer).flat();
  const y = freeRow(between, start.y, end.y);
  return [
    start,
    ...turn(tracks.at(source.layer, from), start.y, y),
    ...turn(tracks.at(target.layer - 1, to), y, end.y),
    end,
  ];
}

/** The height nearest to both ends at which a line passes no node of the columns between. */
function freeRow(between: readonly PlacedNode[], y0: number, y1: number): number {
  const blocked = (y: number) => between.some((node) => y > node.y - CLEAR + 1 && y < node.y + node.height + CLEAR - 1);
  const candidates = [y1, y0, ...between.flatMap((node) => [node.y - CLEAR, node.y + node.height + CLEAR])];
  const cost = (y: number) => Math.abs(y - y0) + Math.abs(y - y1);
  let best = y1;
  let lowest = Number.POSITIVE_INFINITY;
  for (const y of candidates) {
    if (cost(y) < lowest && !blocked(y)) {
      best = y;
      lowest = cost(y);
    }
  }
  return best;
}

function columnsOf(nodes: ReadonlyMap<string, PlacedNode>): readonly (readonly PlacedNode[])[] {
  const columns: PlacedNode[][] = [];
  for (const node of nodes.values()) {
    const column = columns[node.layer] ?? [];
    columns[node.layer] = column;
    column.push(node);
  }
  return Array.from(columns, (column) => column ?? []);
}

/** Each node that a line leaves or enters has a track of its own in the strip, so that bundles can be told apart. */
class Tracks {
  private readonly used = new Map<string, number>();
  private readonly counts: number[] = [];

  constructor(private readonly gaps: readonly Gap[]) {}

  at(layer: number, key: string): number {
    const gap = this.gaps[layer] ?? { from: 0, to: 0 };
    const name = `${layer} ${key}`;
    const index = this.used.get(name) ?? this.counts[layer] ?? 0;
    if (!this.used.has(name)) {
      this.used.set(name, index);
      this.counts[layer] = index + 1;
    }
    const room = gap.to - gap.from - 18;
    const slots = Math.max(1, Math.floor(room / 4));
    return gap.from + 8 + (index % slots) * 4;
  }
}

/** Several lines at one side of a node are spread over it in the order of their other ends, so that they don't cross. */
class Ports {
  private readonly outs = new Map<string, number>();
  private readonly ins = new Map<string, number>();

  constructor(
    edges: readonly { readonly from: string; readonly to: string }[],
    nodes: ReadonlyMap<string, PlacedNode>,
  ) {
    const order = (id: string) => nodes.get(id)?.y ?? 0;
    const spread = (
      groups: ReadonlyMap<string, readonly string[]>,
      into: Map<string, number>,
      keyOf: (own: string, other: string) => string,
    ) => {
      for (const [own, others] of groups) {
        const node = nodes.get(own);
        if (node === undefined) continue;
        const sorted = [...new Set(others)].sort((a, b) => order(a) - order(b));
        const middle = node.y + node.height / 2;
        const step = Math.min(6, (node.height - 14) / Math.max(1, sorted.length - 1));
        sorted.forEach((other, index) => {
          into.set(keyOf(own, other), middle + (index - (sorted.length - 1) / 2) * step);
        });
      }
    };
    spread(
      group(
        edges,
        ({ from }) => from,
        ({ to }) => to,
      ),
      this.outs,
      (own, other) => `${own}\n${other}`,
    );
    spread(
      group(
        edges,
        ({ to }) => to,
        ({ from }) => from,
      ),
      this.ins,
      (own, other) => `${other}\n${own}`,
    );
  }

  out(from: string, to: string): number {
    return this.outs.get(`${from}\n${to}`) ?? 0;
  }

  into(from: string, to: string): number {
    return this.ins.get(`${from}\n${to}`) ?? 0;
  }
}

function group<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  otherOf: (item: T) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const own = groups.get(keyOf(item));
    if (own === undefined) groups.set(keyOf(item), [otherOf(item)]);
    else own.push(otherOf(item));
  }
  return groups;
}

function pathOf(points: readonly Point[]): string {
  const [first] = points;
  if (first === undefined) return "";
  let path = `M${round(first.x)} ${round(first.y)}`;
  for (let index = 1; index < points.length; index += 1) {
    const before = points[index - 1] as Point;
    const here = points[index] as Point;
    const after = points[index + 1];
    if (after === undefined) path += `L${round(here.x)} ${round(here.y)}`;
    else {
      const a = shorten(before, here, after);
      const b = shorten(after, here, before);
      path += `L${round(a.x)} ${round(a.y)}Q${round(here.x)} ${round(here.y)} ${round(b.x)} ${round(b.y)}`;
    }
  }
  return path;
}

/** A point on the way from `here` back to `side`, where the corner begins. */
function shorten(side: Point, here: Point, other: Point): Point {
  const length = Math.hypot(side.x - here.x, side.y - here.y);
  const otherLength = Math.hypot(other.x - here.x, other.y - here.y);
  const radius = Math.min(RADIUS, length / 2, otherLength / 2);
  return length === 0
    ? here
    : { x: here.x + ((side.x - here.x) * radius) / length, y: here.y + ((side.y - here.y) * radius) / length };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
