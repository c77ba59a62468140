"use client";

import { ChevronDown, ChevronUp, Eye, EyeOff, Link2, X } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ReactNode, useEffect, useRef } from "react";
import { toast } from "sonner";
import type { PlanView } from "../api/outputs.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { KeyCap } from "../ui/key-cap.tsx";
import { Note } from "../ui/note.tsx";
import { OwnerTag } from "../ui/owner-tag.tsx";
import { ColumnChanges, Dependents, WhatHappens, Why } from "./drawer-panels.tsx";
import { dependentId, type ObjectRow } from "./object-rows.ts";

interface ObjectDrawerProps {
  readonly view: PlanView;
  readonly row: ObjectRow;
  readonly rows: ReadonlyMap<string, ObjectRow>;
  readonly order: readonly string[];
  readonly seen: ReadonlySet<string>;
  readonly definition: ReactNode;
  readonly evidence: string;
  readonly onEvidence: (tab: string) => void;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
  readonly onSeen: (id: string) => void;
}

export function ObjectDrawer(props: ObjectDrawerProps) {
  const { view, row, rows, order, seen, definition, onOpen, onClose, onSeen } = props;
  const title = useRef<HTMLHeadingElement>(null);
  // Whoever opened it by keyboard goes on in it; the table keeps its place.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const change = view.changes.find(({ model }) => model === row.id) ?? null;
  const dependent = view.dependents.find(({ object }) => dependentId(object, view) === row.id) ?? null;
  const actions = view.actions.filter(
    ({ model, target }) =>
      model === row.id ||
      (dependent !== null && target.schema === dependent.object.schema && target.name === dependent.object.name),
  );
  const readers = view.graph.edges.filter(({ from }) => from === row.id).length;
  const columns =
    change === null ? 0 : change.columns.added.length + change.columns.removed.length + change.columns.retyped.length;
  const place = order.indexOf(row.id);
  const before = order[place - 1];
  const after = order[place + 1];
  const isSeen = seen.has(row.id);
  const shown = order.filter((id) => seen.has(id)).length;
  const copyLink = () =>
    navigator.clipboard
      .writeText(location.href)
      .then(() => toast.custom(() => <Note tone="done" title="Link copied" />));
  return (
    <aside className="drawer open" aria-label={row.name}>
      <Tabs.Root className="drawer-tabs" value={props.evidence} onValueChange={props.onEvidence}>
        <header>
          <div className="row">
            {row.fate !== null && <FateSymbol fate={row.fate} label />}
            <h2 ref={title} tabIndex={-1}>
              {row.name}
            </h2>
            <span className="kind only-l">{row.kind}</span>
            {row.owner !== null && !row.managed && <OwnerTag owner={row.owner} />}
            {change?.category !== null && change?.category !== undefined && (
              <span className="badge line only-l">{change.category}</span>
            )}
            <span className="grow" />
            <button
              className="icon-btn"
              type="button"
              data-key="["
              aria-label="Previous object"
              disabled={before === undefined}
              onClick={() => before !== undefined && onOpen(before)}
            >
              <ChevronUp className="i" aria-hidden="true" />
            </button>
            <button
              className="icon-btn"
              type="button"
              data-key="]"
              aria-label="Next object"
              disabled={after === undefined}
              onClick={() => after !== undefined && onOpen(after)}
            >
              <ChevronDown className="i" aria-hidden="true" />
            </button>
            <button className="icon-btn" type="button" data-key="Escape" aria-label="Close, Esc" onClick={onClose}>
              <X className="i" aria-hidden="true" />
            </button>
          </div>
          <p className="t2 drawer-why">{row.why}</p>
          <Tabs.List className="tabs" aria-label="Evidence">
            <Tabs.Trigger value="what">What happens</Tabs.Trigger>
            <Tabs.Trigger value="definition">Definition</Tabs.Trigger>
            <Tabs.Trigger value="columns">
              Columns {columns > 0 && <span className="count">{columns}</span>}
            </Tabs.Trigger>
            <Tabs.Trigger value="dependents">
              Dependents {readers > 0 && <span className="count">{readers}</span>}
            </Tabs.Trigger>
            <Tabs.Trigger value="why">Why</Tabs.Trigger>
          </Tabs.List>
        </header>
        <Tabs.Content className="body" value="what">
          <WhatHappens actions={actions} dependent={dependent} row={row} />
        </Tabs.Content>
        <Tabs.Content className="body" value="definition">
          {definition}
        </Tabs.Content>
        <Tabs.Content className="body" value="columns">
          <ColumnChanges change={change} />
        </Tabs.Content>
        <Tabs.Content className="body" value="dependents">
          <Dependents view={view} row={row} rows={rows} onOpen={onOpen} />
        </Tabs.Content>
        <Tabs.Content className="body" value="why">
          <Why change={change} row={row} dependent={dependent} />
        </Tabs.Content>
      </Tabs.Root>
      <footer>
        <span className="only-l">
          {shown} of {order.length} seen
        </span>
        <span className="grow" />
        <button className="btn quiet small only-l" type="button" onClick={copyLink}>
          <Link2 className="i s" aria-hidden="true" />
          Copy link
        </button>
        <button className="btn small" type="button" data-key="v" aria-pressed={isSeen} onClick={() => onSeen(row.id)}>
          {isSeen ? <EyeOff className="i s" aria-hidden="true" /> : <Eye className="i s" aria-hidden="true" />}
          {isSeen ? "Mark as not seen" : "Mark as seen"} <KeyCap>v</KeyCap>
        </button>
      </footer>
    </aside>
  );
}
