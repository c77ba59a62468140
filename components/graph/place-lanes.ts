import type { GraphInput, PlacedLane, PlacedNode } from "./layout-graph.ts";

const PAD = 12;
const HEAD = 28;
const ROW_GAP = 10;
const LANE_GAP = 18;
const GAP_BASE = 26;
/** Room between two columns for each bundle of lines that turns there, up to a limit. */
const TRACK = 4;
const MOST_TRACKS = 14;

export interface Placement {
  readonly nodes: ReadonlyMap<string, PlacedNode>;
  readonly lanes: readonly PlacedLane[];
  readonly width: number;
  readonly height: number;
  /** For each layer, the free strip at its right: where lines turn. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
}

interface Lane {
  readonly name: string;
  readonly managed: boolean;
  readonly columns: Map<number, string[]>;
  readonly first: number;
  readonly last: number;
}

/** Columns by layer, rows by the mean of what each node reads, lanes packed into bands where their columns don't meet. */
export function placeLanes(input: GraphInput, layers: ReadonlyMap<string, number>): Placement {
  const layerOf = (id: string) => layers.get(id) ?? 0;
  const columns = columnsOf(input, layerOf);
  const lanes = lanesOf(input, layerOf);
  const parents = neighbours(input);
  const sizes = new Map(input.nodes.map((node) => [node.id, node]));
  const nodes = new Map<string, PlacedNode>();
  const placed: PlacedLane[] = [];
  let top = 0;
  let width = 0;
  for (const band of bandsOf(lanes)) {
    let bandHeight = 0;
    const boxes: PlacedLane[] = [];
    for (const lane of band) {
      let bottom = 0;
      for (const [layer, ids] of [...lane.columns].sort(([a], [b]) => a - b)) {
        const column = columns[layer];
        if (column === undefined) continue;
        const y0 = top + HEAD;
        for (const { id, y } of stack(ids, y0, sizes, parents, nodes)) {
          const size = sizes.get(id);
          if (size === undefined) continue;
          nodes.set(id, { id, x: column.x, y, width: column.width, height: size.height, layer });
          bottom = Math.max(bottom, y + size.height - top);
        }
      }
      const left = (columns[lane.first]?.x ?? 0) - PAD;
      const right = (columns[lane.last]?.x ?? 0) + (columns[lane.last]?.width ?? 0) + PAD;
      boxes.push({
        name: lane.name,
        managed: lane.managed,
        x: left,
        y: top,
        width: right - left,
        height: bottom + PAD,
      });
      bandHeight = Math.max(bandHeight, bottom + PAD);
      width = Math.max(width, right);
    }
    // Boxes of one band end together: calmer than a ragged row.
    placed.push(...boxes.map((box) => ({ ...box, height: bandHeight })));
    top += bandHeight + LANE_GAP;
  }
  const gaps = columns.map((column, index) => ({
    from: column.x + column.width,
    to: columns[index + 1]?.x ?? column.x + column.width + GAP_BASE,
  }));
  return { nodes, lanes: placed, width: width + PAD, height: Math.max(0, top - LANE_GAP), gaps };
}

function columnsOf(
  input: GraphInput,
  layerOf: (id: string) => number,
): readonly { readonly x: number; readonly width: number }[] {
  const widths: number[] = [];
  const turning: Set<string>[] = [];
  for (const node of input.nodes) widths[layerOf(node.id)] = Math.max(widths[layerOf(node.id)] ?? 0, node.width);
  for (const { from, to } of input.edges) {
    const turn = turning[layerOf(from)] ?? new Set<string>();
    turning[layerOf(from)] = turn.add(from);
    const last = turning[layerOf(to) - 1] ?? new Set<string>();
    if (layerOf(to) > 0) turning[layerOf(to) - 1] = last.add(to);
  }
  let x = PAD;
  return Array.from(widths, (width = 0, layer) => {
    const column = { x, width };
    x += width + GAP_BASE + TRACK * Math.min(turning[layer]?.size ?? 0, MOST_TRACKS);
    return column;
  });
}

function lanesOf(input: GraphInput, layerOf: (id: string) => number): readonly Lane[] {
  const lanes = new Map<string, { managed: boolean; columns: Map<number, string[]> }>();
  for (const node of input.nodes) {
    const key = `${node.managed ? 0 : 1} ${node.lane}`;
    const lane = lanes.get(key) ?? { managed: node.managed, columns: new Map<number, string[]>() };
    lanes.set(key, lane);
    const layer = layerOf(node.id);
    lane.columns.set(layer, [...(lane.columns.get(layer) ?? []), node.id]);
  }
  return [...lanes]
    .map(([key, { managed, columns }]) => {
      const used = [...columns.keys()];
      return { name: key.slice(2), managed, columns, first: Math.min(...used), last: Math.max(...used) };
    })
    .sort((a, b) => Number(b.managed) - Number(a.managed) || a.first - b.first || (a.name < b.name ? -1 : 1));
}

/** Lanes whose columns don't meet share a band; ours never share one with others'. */
function bandsOf(lanes: readonly Lane[]): readonly (readonly Lane[])[] {
  const bands: Lane[][] = [];
  for (const lane of lanes) {
    const free = bands.find((band) =>
      band.every((other) => other.managed === lane.managed && (other.last < lane.first || other.first > lane.last)),
    );
    if (free === undefined) bands.push([lane]);
    else free.push(lane);
  }
  return bands;
}

function neighbours(input: GraphInput): ReadonlyMap<string, readonly string[]> {
  const parents = new Map<string, string[]>();
  for (const { from, to } of input.edges) parents.set(to, [...(parents.get(to) ?? []), from]);
  return parents;
}

/** In order of where their parents stand, each as near to that as those above it allow. */
function stack(
  ids: readonly string[],
  y0: number,
  sizes: ReadonlyMap<string, { readonly height: number }>,
  parents: ReadonlyMap<string, readonly string[]>,
  nodes: ReadonlyMap<string, PlacedNode>,
): readonly { readonly id: string; readonly y: number }[] {
  const wishes = ids.map((id, index) => {
    const ys = (parents.get(id) ?? []).flatMap((parent) => nodes.get(parent)?.y ?? []).sort((a, b) => a - b);
    const median = ys[Math.floor((ys.length - 1) / 2)];
    return { id, index, wish: median };
  });
  wishes.sort(
    (a, b) => (a.wish ?? Number.POSITIVE_INFINITY) - (b.wish ?? Number.POSITIVE_INFINITY) || a.index - b.index,
  );
  let free = y0;
  return wishes.map(({ id, wish }) => {
    const y = Math.max(free, wish ?? free);
    free = y + (sizes.get(id)?.height ?? 40) + ROW_GAP;
    return { id, y };
  });
}
