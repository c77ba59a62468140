"use client";

import { memo } from "react";
import { BaseEdge, type Edge, type EdgeProps, Handle, type Node, type NodeProps, Position } from "reactflow";
import type { ObjectRow } from "../objects/object-rows.ts";
import { fateWord } from "../ui/fate.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { detailOf } from "./graph-view-model.ts";

export interface ObjectData extends Record<string, unknown> {
  readonly row: ObjectRow;
  readonly label: string;
  /** focused · reached · maybe (only through an assumed use) · faint (not reached) · plain */
  readonly look: "focused" | "reached" | "maybe" | "faint" | "plain";
  readonly hit: boolean;
  readonly onFocus: (id: string) => void;
}
export type ObjectNode = Node<ObjectData, "object">;

export interface LaneData extends Record<string, unknown> {
  readonly name: string;
  readonly managed: boolean;
  readonly owners: string;
  readonly count: number;
}
export type LaneNode = Node<LaneData, "lane">;

export interface RouteData extends Record<string, unknown> {
  readonly path: string;
  readonly end: { readonly x: number; readonly y: number };
  readonly look: "reach" | "faint" | "plain";
  readonly certain: boolean;
}
export type RouteEdge = Edge<RouteData, "route">;

const looks = { focused: " focused", reached: " blast", maybe: " blast maybe", faint: " faint", plain: "" } as const;

export const ObjectNodeView = memo(function ObjectNodeView({ data }: NodeProps<ObjectNode>) {
  const { row, label, look, hit } = data;
  const fate = row.fate ?? (row.kind === "source" ? "same external" : "same");
  return (
    <button
      type="button"
      className={`node ${fate}${row.managed ? "" : " un"}${looks[look]}${hit ? " hit" : ""}`}
      data-row
      data-node={row.id}
      aria-label={`${row.name}, ${row.kind}${row.managed ? "" : ` of ${row.owner ?? "others"}`}, ${row.fate === null ? "unchanged" : fateWord[row.fate]}`}
      aria-pressed={look === "focused"}
      onClick={() => data.onFocus(row.id)}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
      {row.fate !== null && <FateSymbol fate={row.fate} small />}
      {row.also !== null && <FateSymbol fate={row.also} small />}
      <span>
        <b>{label}</b>
        <small>{detailOf(row)}</small>
      </span>
    </button>
  );
});

export const LaneNodeView = memo(function LaneNodeView({ data }: NodeProps<LaneNode>) {
  return (
    <div className={`lane${data.managed ? "" : " outside-lane"}`}>
      <p>
        {!data.managed && (
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m8 2.6 5.4 5.4L8 13.4 2.6 8Z" />
          </svg>
        )}
        <b>{data.name}</b>
        <span>{data.count}</span>
        {!data.managed && <span>outside management, owner {data.owners}</span>}
      </p>
    </div>
  );
});

export const RouteEdgeView = memo(function RouteEdgeView({ id, data }: EdgeProps<RouteEdge>) {
  if (data === undefined) return null;
  const { path, end, look, certain } = data;
  return (
    <>
      {look === "reach" && <path className="edge-halo" d={path} />}
      <BaseEdge id={id} path={path} className={`edge ${look}${certain ? "" : " maybe"}`} interactionWidth={0} />
      <path className={`edge-tip ${look}`} d={`M${end.x - 6} ${end.y - 3.2}l6 3.2-6 3.2z`} />
    </>
  );
});
