"use client";

import { Maximize, Minus, Plus } from "lucide-react";
import { useEffect, useMemo } from "react";
import {
  Background,
  BackgroundVariant,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "reactflow";
import type { ObjectRow } from "../objects/object-rows.ts";
import { blastOf, flowElements } from "./flow-elements.ts";
import { LaneNodeView, type ObjectData, ObjectNodeView, RouteEdgeView } from "./flow-parts.tsx";
import { GraphLegend } from "./graph-legend.tsx";
import { GraphPeek } from "./graph-peek.tsx";
import { type GraphEdge, layoutInput, type Neighbours } from "./graph-view-model.ts";
import { layoutGraph } from "./layout-graph.ts";

interface GraphCanvasProps {
  readonly planId: string;
  readonly rows: readonly ObjectRow[];
  readonly edges: readonly GraphEdge[];
  readonly neighbours: Neighbours;
  readonly focus: string | null;
  readonly hits: readonly string[];
  readonly onFocus: (id: string | null) => void;
  readonly onGrow: (direction: "up" | "down") => void;
}

const nodeTypes = { object: ObjectNodeView, lane: LaneNodeView };
const edgeTypes = { route: RouteEdgeView };

/** Text stays legible: fitting never goes below this, larger graphs start at their first change. */
const LEGIBLE = 0.85;
const MINIMAP_UP_TO = 600;

export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ planId, rows, edges, neighbours, focus, hits, onFocus, onGrow }: GraphCanvasProps) {
  const layout = useMemo(() => layoutGraph(layoutInput(rows, edges)), [rows, edges]);
  const blast = useMemo(() => blastOf(focus, edges, neighbours), [focus, edges, neighbours]);
  const hitKey = hits.join("\n");
  const elements = useMemo(
    () => flowElements({ rows, layout, edges, blast, hits: new Set(hitKey.split("\n")), onFocus }),
    [rows, layout, edges, blast, hitKey, onFocus],
  );
  const focused = focus === null ? undefined : rows.find(({ id }) => id === focus);
  const small = rows.length <= MINIMAP_UP_TO;
  return (
    <section
      className="view"
      aria-label={`Graph of ${rows.length} objects, left to right. The same content is in the table.`}
    >
      <ReactFlow
        nodes={elements.nodes}
        edges={elements.edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onlyRenderVisibleElements={rows.length > 150}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        elevateNodesOnSelect={false}
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        minZoom={0.1}
        maxZoom={2}
        onPaneClick={() => onFocus(null)}
      >
        <Opening rows={rows} layout={layout} />
        <Follow focus={focus} layout={layout} />
        <Background variant={BackgroundVariant.Dots} gap={18} size={1} />
        <Panel position="bottom-right" className="zoom-panel">
          <Zoom />
          {small ? (
            <MiniMap
              position="bottom-right"
              pannable
              ariaLabel="Overview of the graph"
              nodeColor={colourOf}
              nodeStrokeWidth={0}
              nodeBorderRadius={2}
              style={{ width: 200, height: 84 }}
            />
          ) : (
            <p className="muted nomap">No overview map above {MINIMAP_UP_TO} objects</p>
          )}
        </Panel>
      </ReactFlow>
      <GraphLegend rows={rows} />
      {focused !== undefined && (
        <GraphPeek
          planId={planId}
          row={focused}
          rows={rows}
          blast={blast}
          onClose={() => onFocus(null)}
          onGrow={onGrow}
        />
      )}
    </section>
  );
}

function colourOf({
  data,
  type,
}: {
  readonly data: Record<string, unknown>;
  readonly type?: string | undefined;
}): string {
  if (type !== "object") return "transparent";
  const { fate } = (data as ObjectData).row;
  return fate === null || fate === "kept" || fate === "metadata" || fate === "indirect"
    ? "var(--line-control)"
    : `var(--${fate}-fg)`;
}

/** Where the first look falls. */
function Opening({
  rows,
  layout,
}: {
  readonly rows: readonly ObjectRow[];
  readonly layout: ReturnType<typeof layoutGraph>;
}) {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const ready = width > 0 && height > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the drawing or the first size changes; never while somebody pans.
  useEffect(() => {
    if (!ready) return;
    const zoom = Math.min(width / (layout.width + 48), height / (layout.height + 48), 1);
    if (zoom >= LEGIBLE) {
      void flow.setViewport({
        x: (width - layout.width * zoom) / 2,
        y: Math.min(20, (height - layout.height * zoom) / 2),
        zoom,
      });
      return;
    }
    const first = rows.find(({ group }) => group === "attention" || group === "changed") ?? rows[0];
    const placed = first === undefined ? undefined : layout.nodes.get(first.id);
    const x = placed === undefined ? 0 : Math.max(placed.x - width / LEGIBLE / 3, -24);
    const y = placed === undefined ? 0 : Math.max(placed.y - height / LEGIBLE / 3, -24);
    void flow.setViewport({
      x: -Math.min(x, Math.max(layout.width + 24 - width / LEGIBLE, -24)) * LEGIBLE,
      y: -Math.min(y, Math.max(layout.height + 24 - height / LEGIBLE, -24)) * LEGIBLE,
      zoom: LEGIBLE,
    });
  }, [ready, layout]);
  return null;
}

/** Brings what is focused into view, when it isn't. */
function Follow({ focus, layout }: { readonly focus: string | null; readonly layout: ReturnType<typeof layoutGraph> }) {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of size alone moves nothing.
  useEffect(() => {
    const placed = focus === null ? undefined : layout.nodes.get(focus);
    if (placed === undefined || width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const left = placed.x * zoom + x;
    const top = placed.y * zoom + y;
    if (left > 0 && top > 0 && left + placed.width * zoom < width - 40 && top + placed.height * zoom < height - 20)
      return;
    void flow.setCenter(placed.x + placed.width / 2, placed.y + placed.height / 2, {
      zoom: Math.max(zoom, LEGIBLE),
      duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160,
    });
  }, [focus, layout, width > 0]);
  return null;
}

function Zoom() {
  const flow = useReactFlow();
  const zoom = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <fieldset className="zoom">
      <legend className="sr">Zoom</legend>
      <button type="button" aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
        <Plus className="i s" aria-hidden="true" />
      </button>
      <span className="num">{zoom}%</span>
      <button type="button" aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
        <Minus className="i s" aria-hidden="true" />
      </button>
      <button
        type="button"
        aria-label="Fit, f"
        data-key="f"
        onClick={() => void flow.fitView({ padding: 0.05, maxZoom: 1 })}
      >
        <Maximize className="i s" aria-hidden="true" />
      </button>
    </fieldset>
  );
}
