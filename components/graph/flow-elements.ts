import type { ObjectRow } from "../objects/object-rows.ts";
import type { LaneNode, ObjectNode, RouteEdge } from "./flow-parts.tsx";
import { type GraphEdge, labelOf, laneOf, type Neighbours, reach } from "./graph-view-model.ts";
import type { Layout } from "./layout-graph.ts";

export interface Blast {
  readonly focus: string | null;
  /** Reached for certain, and only by a use that had to be assumed. */
  readonly certain: ReadonlySet<string>;
  readonly assumed: ReadonlySet<string>;
}

export function blastOf(focus: string | null, edges: readonly GraphEdge[], neighbours: Neighbours): Blast {
  if (focus === null) return { focus, certain: new Set(), assumed: new Set() };
  const sure = new Map<string, string[]>();
  for (const { from, to, certain } of edges) if (certain) sure.set(from, [...(sure.get(from) ?? []), to]);
  const certain = reach([focus], sure);
  const all = reach([focus], neighbours.down);
  return { focus, certain, assumed: new Set([...all].filter((id) => !certain.has(id))) };
}

interface ElementsRequest {
  readonly rows: readonly ObjectRow[];
  readonly layout: Layout;
  readonly edges: readonly GraphEdge[];
  readonly blast: Blast;
  readonly hits: ReadonlySet<string>;
  readonly onFocus: (id: string) => void;
}

/** What React Flow draws: lanes behind, objects on them, lines between. */
export function flowElements(request: ElementsRequest): {
  readonly nodes: (LaneNode | ObjectNode)[];
  readonly edges: RouteEdge[];
} {
  const { rows, layout, blast } = request;
  const lanes = layout.lanes.map((lane): LaneNode => {
    const inside = rows.filter((row) => laneOf(row) === lane.name && row.managed === lane.managed);
    const owners = [...new Set(inside.flatMap(({ owner }) => (owner === null ? [] : [owner])))].join(", ");
    return {
      id: `lane ${lane.managed ? "" : "outside "}${lane.name}`,
      type: "lane",
      position: { x: lane.x, y: lane.y },
      width: lane.width,
      height: lane.height,
      data: { name: lane.name === "" ? "no schema" : lane.name, managed: lane.managed, owners, count: inside.length },
      selectable: false,
      draggable: false,
      zIndex: -1,
    };
  });
  const objects = rows.flatMap((row): ObjectNode[] => {
    const placed = layout.nodes.get(row.id);
    if (placed === undefined) return [];
    return [
      {
        id: row.id,
        type: "object",
        position: { x: placed.x, y: placed.y },
        width: placed.width,
        height: placed.height,
        data: {
          row,
          label: labelOf(row),
          look: lookOf(row.id, blast),
          hit: request.hits.has(row.id),
          onFocus: request.onFocus,
        },
        draggable: false,
        // React Flow lets the pointer through nodes that it can't select; ours are buttons.
        style: { pointerEvents: "all" },
      },
    ];
  });
  const certainty = new Map(request.edges.map((edge) => [`${edge.from}\n${edge.to}`, edge.certain]));
  const lit = (id: string) => id === blast.focus || blast.certain.has(id) || blast.assumed.has(id);
  const edges = layout.edges.map(({ from, to, path, end }): RouteEdge => {
    const look = blast.focus === null ? "plain" : lit(from) && lit(to) ? "reach" : "faint";
    const certain = certainty.get(`${from}\n${to}`) ?? true;
    return {
      id: `${from} → ${to}`,
      source: from,
      target: to,
      type: "route",
      data: { path, end, look, certain },
      zIndex: look === "reach" ? 1 : 0,
    };
  });
  return { nodes: [...lanes, ...objects], edges };
}

function lookOf(id: string, { focus, certain, assumed }: Blast): ObjectNode["data"]["look"] {
  if (focus === null) return "plain";
  if (id === focus) return "focused";
  if (certain.has(id)) return "reached";
  return assumed.has(id) ? "maybe" : "faint";
}
