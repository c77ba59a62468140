"use client";

import { ListChecks, Search, X } from "lucide-react";
import Link from "next/link";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { type ObjectRow, objectRows } from "../objects/object-rows.ts";
import { ObjectsTable } from "../objects/objects-table.tsx";
import { useSeen } from "../objects/use-seen.ts";
import { usePlan } from "../plan/use-plan.ts";
import { objectLink, planLink } from "../ui/links.ts";
import { nameHolds } from "../ui/name-holds.ts";
import { GraphCanvas } from "./graph-canvas.tsx";
import { DRAWN_AT_MOST, neighboursOf, openedOn, reach, uniqueEdges } from "./graph-view-model.ts";

const inAddress = { focus: parseAsString, all: parseAsBoolean.withDefault(false), q: parseAsString.withDefault("") };

/** The graph of a plan, opened on what changes and two hops round it. */
export function GraphScreen({ planId }: { readonly planId: string }) {
  const { view } = usePlan(planId);
  const [{ focus, all, q }, setAddress] = useQueryStates(inAddress);
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [drawAnyway, setDrawAnyway] = useState(false);
  const rows = useMemo(() => objectRows(view), [view]);
  const edges = useMemo(() => uniqueEdges(view.graph.edges), [view]);
  const neighbours = useMemo(() => neighboursOf(edges), [edges]);
  const opened = useMemo(() => openedOn(rows, neighbours), [rows, neighbours]);
  const shown = useMemo(
    () => (all ? rows : rows.filter(({ id }) => opened.has(id) || added.has(id) || id === focus)),
    [all, rows, opened, added, focus],
  );
  const text = q.trim();
  const hits = text === "" ? [] : rows.filter(({ name }) => nameHolds(name, text));
  const place = hits.findIndex(({ id }) => id === focus);
  const grow = (direction: "up" | "down") => {
    if (focus === null) return;
    const known = new Set(shown.map(({ id }) => id));
    const from = [...reach([focus], neighbours[direction])].filter((id) => known.has(id));
    setAdded(new Set([...added, ...reach(from, neighbours[direction], 1)]));
  };
  const nextHit = () => {
    const hit = hits[(place + 1) % hits.length];
    if (hit !== undefined) void setAddress({ focus: hit.id });
  };
  const tooLarge = shown.length > DRAWN_AT_MOST && !drawAnyway;
  return (
    <main className="work canvas" id="main">
      <div className="tools">
        <form
          className="find"
          onSubmit={(event) => {
            event.preventDefault();
            nextHit();
          }}
        >
          <Search className="i s" aria-hidden="true" />
          <input
            type="search"
            aria-label="Search in this graph, Enter goes to the next"
            placeholder="Find an object"
            data-search="page"
            value={q}
            onChange={(event) => void setAddress({ q: event.target.value || null })}
          />
          {text !== "" && (
            <span className="muted num" role="status">
              {hits.length === 0 ? "none" : `${place + 1} of ${hits.length}`}
            </span>
          )}
        </form>
        <button
          className={`chip${all ? "" : " on"}`}
          type="button"
          aria-pressed={!all}
          onClick={() => void setAddress({ all: all ? null : true })}
        >
          Changed and two hops
          {!all && <X className="i s" aria-hidden="true" />}
        </button>
        {added.size > 0 && (
          <button className="chip on" type="button" onClick={() => setAdded(new Set())}>
            {added.size} added <X className="i s" aria-hidden="true" />
          </button>
        )}
        <span className="grow" />
        <span className="muted nowrap">
          {shown.length} of {rows.length} objects
          {shown.length < rows.length && (
            <>
              ,{" "}
              <button className="link plain-link" type="button" onClick={() => void setAddress({ all: true })}>
                show all
              </button>
            </>
          )}
        </span>
        <Link className="btn small" href={planLink(view.id, "objects")}>
          <ListChecks className="i s" aria-hidden="true" />
          As a table
        </Link>
      </div>
      {tooLarge ? (
        <TableFirst planId={planId} rows={shown} onDraw={() => setDrawAnyway(true)} />
      ) : (
        <GraphCanvas
          planId={view.id}
          rows={shown}
          edges={edges}
          neighbours={neighbours}
          focus={focus}
          hits={hits.map(({ id }) => id)}
          onFocus={(id) => void setAddress({ focus: id })}
          onGrow={grow}
        />
      )}
    </main>
  );
}

interface TableFirstProps {
  readonly planId: string;
  readonly rows: readonly ObjectRow[];
  readonly onDraw: () => void;
}

/** Too many to draw smoothly: the same rows as a table, and the graph on request. */
function TableFirst({ planId, rows, onDraw }: TableFirstProps) {
  const { view } = usePlan(planId);
  const { seen } = useSeen(view.digest);
  const [pane, setPane] = useState<HTMLElement | null>(null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard.
    <section className="pane" ref={setPane} aria-label="Objects" tabIndex={0}>
      <div className="toolarge">
        <b className="strong">
          {rows.length.toLocaleString("en")} objects are too many to draw smoothly, so they are listed first.
        </b>{" "}
        <span className="t2">
          Up to {DRAWN_AT_MOST.toLocaleString("en")} are drawn at once. Focus one by its name, or
        </span>{" "}
        <button className="btn small" type="button" onClick={onDraw}>
          Draw all {rows.length.toLocaleString("en")}
        </button>
      </div>
      <ObjectsTable
        caption="Objects of the graph"
        sections={[{ group: "changed", rows, folded: false }]}
        selected={null}
        seen={seen}
        hrefOf={(id) => objectLink(view.id, id, "objects")}
        onOpen={(id) => location.assign(objectLink(view.id, id, "objects"))}
        onUnfold={() => undefined}
        pane={pane}
      />
    </section>
  );
}
