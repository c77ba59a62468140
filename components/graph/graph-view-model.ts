import type { PlanView } from "../api/outputs.ts";
import type { ObjectRow } from "../objects/object-rows.ts";
import { fateWord } from "../ui/fate.ts";
import { splitName } from "../ui/split-name.ts";
import type { GraphInput } from "./layout-graph.ts";

export type GraphEdge = PlanView["graph"]["edges"][number];

/** Beyond this many drawn nodes the table comes first: frames would drop below what the hand can follow. */
export const DRAWN_AT_MOST = 1_000;
const HOPS = 2;

export function uniqueEdges(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const seen = new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
  return [...seen.values()];
}

export interface Neighbours {
  readonly up: ReadonlyMap<string, readonly string[]>;
  readonly down: ReadonlyMap<string, readonly string[]>;
}

export function neighboursOf(edges: readonly GraphEdge[]): Neighbours {
  const up = new Map<string, string[]>();
  const down = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, value: string) => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [value]);
    else list.push(value);
  };
  for (const { from, to } of edges) {
    add(down, from, to);
    add(up, to, from);
  }
  return { up, down };
}

/** Everything within so many steps of the start, start included. */
export function reach(
  start: Iterable<string>,
  next: ReadonlyMap<string, readonly string[]>,
  hops = Number.POSITIVE_INFINITY,
): ReadonlySet<string> {
  const found = new Set(start);
  let frontier = [...found];
  for (let hop = 0; hop < hops && frontier.length > 0; hop += 1) {
    const following: string[] = [];
    for (const id of frontier) {
      for (const other of next.get(id) ?? []) {
        if (!found.has(other)) {
          found.add(other);
          following.push(other);
        }
      }
    }
    frontier = following;
  }
  return found;
}

/** The changed set plus two hops each way; all of it where nothing changed. */
export function openedOn(rows: readonly ObjectRow[], neighbours: Neighbours): ReadonlySet<string> {
  const changed = rows.filter(({ fate, managed }) => fate !== null && (managed || fate !== "kept")).map(({ id }) => id);
  if (changed.length === 0) return new Set(rows.map(({ id }) => id));
  return new Set([...reach(changed, neighbours.up, HOPS), ...reach(changed, neighbours.down, HOPS)]);
}

const NAME_CHARACTER = 6.6;
const DETAIL_CHARACTER = 5.35;
const NARROWEST = 118;
const WIDEST = 300;
const LINE = 15;

const shortKinds: Readonly<Record<string, string>> = {
  "incremental by partition": "incremental",
  "materialized view": "mat. view",
  "incremental by unique key": "incremental",
};

/** The second line of a node: what it is and what becomes of it. */
export function detailOf({ fate, kind }: ObjectRow): string {
  const words = fate === null ? "" : fate === "recreate" ? ", returns" : `, ${fateWord[fate]}`;
  return `${shortKinds[kind] ?? kind}${words}`;
}

/** Names are never cut: a node grows wider, then higher. */
export function sizeOf(row: ObjectRow): { readonly width: number; readonly height: number } {
  const label = labelOf(row);
  const around = (row.fate === null ? 0 : 23) + (row.also === null ? 0 : 23) + 22;
  const text = Math.max(label.length * NAME_CHARACTER, detailOf(row).length * DETAIL_CHARACTER);
  const width = Math.min(Math.max(Math.ceil(text + around), NARROWEST), WIDEST);
  const lines = Math.ceil((label.length * NAME_CHARACTER) / (width - around));
  return { width, height: 40 + (lines - 1) * LINE };
}

export function layoutInput(rows: readonly ObjectRow[], edges: readonly GraphEdge[]): GraphInput {
  const ids = new Set(rows.map(({ id }) => id));
  return {
    nodes: rows.map((row) => ({
      id: row.id,
      label: labelOf(row),
      lane: laneOf(row),
      managed: row.managed,
      ...sizeOf(row),
    })),
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
  };
}

export function labelOf(row: ObjectRow): string {
  return splitName(row.name).name;
}

export function laneOf(row: ObjectRow): string {
  return splitName(row.name).schema;
}
