"use client";

import { X } from "lucide-react";
import { parseAsString, useQueryState, useQueryStates } from "nuqs";
import { type ReactNode, useMemo, useState } from "react";
import { PlanRail } from "../plan/plan-rail.tsx";
import { usePlan } from "../plan/use-plan.ts";
import { type Fate, fateOrder, fateWord } from "../ui/fate.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { objectLink, type PlanTab } from "../ui/links.ts";
import { ObjectDrawer } from "./object-drawer.tsx";
import { filterParsers, matches } from "./object-filter.ts";
import { groupOrder, objectRows } from "./object-rows.ts";
import { ObjectsTable, type TableSection } from "./objects-table.tsx";
import { useDefinitionOf } from "./use-definition-of.ts";
import { useSeen } from "./use-seen.ts";

interface ObjectsScreenProps {
  readonly planId: string;
  readonly tab: PlanTab;
  /** Made on the server for the object in the address. */
  readonly definition: ReactNode;
  readonly definitionOf: string | null;
}

/** The objects of a plan by what happens to them, the drawer beside them. Overview and Objects differ by their rail. */
export function ObjectsScreen({ planId, tab, definition, definitionOf }: ObjectsScreenProps) {
  const { view } = usePlan(planId);
  // The definition is rendered by the server, so this one parameter is told to it.
  const [object, setObject] = useQueryState(
    "object",
    parseAsString.withOptions({ shallow: false, history: "replace" }),
  );
  // So is this one: told to nobody, it would cut off the answer that the object is still waiting for.
  const [evidence, setEvidence] = useQueryState(
    "evidence",
    parseAsString.withDefault("what").withOptions({ shallow: false }),
  );
  useDefinitionOf(object, definitionOf);
  const [filter, setFilter] = useQueryStates(filterParsers);
  const { seen, toggle } = useSeen(view.digest);
  const [pane, setPane] = useState<HTMLElement | null>(null);
  const rows = useMemo(() => objectRows(view), [view]);
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const shown = rows.filter((row) => matches(row, filter, seen));
  const sections = groupOrder
    .map(
      (group): TableSection => ({
        group,
        rows: shown.filter((row) => row.group === group),
        folded: group === "neutral" && !filter.neutral && filter.q === "",
      }),
    )
    .filter((section) => section.rows.length > 0);
  const visible = sections.flatMap((section) => (section.folded ? [] : section.rows));
  const order = visible.map((row) => row.id);
  const selected = object === null ? undefined : byId.get(object);
  const fates = fateOrder.filter((fate) => rows.some((row) => row.fate === fate));
  const owners = [...new Set(rows.flatMap(({ managed, owner }) => (managed || owner === null ? [] : [owner])))].sort();
  const unseen = rows.filter((row) => row.group !== "neutral" && !seen.has(row.id)).length;
  const filtered = filter.fate.length > 0 || filter.owner !== null || filter.unseen || filter.q !== "";
  const flip = (fate: Fate) =>
    void setFilter({
      fate: filter.fate.includes(fate) ? filter.fate.filter((each) => each !== fate) : [...filter.fate, fate],
    });
  const layout = selected !== undefined ? " split" : tab === "overview" ? " railed" : "";
  return (
    <main className={`work${layout}`} id="main">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
      <section className="pane" id="objects" aria-label="Objects" ref={setPane} tabIndex={0}>
        <div className="toolbar">
          <span className="strong nowrap">{rows.length} objects</span>
          <span className="muted nowrap">{visible.length} shown</span>
          <input
            className="input filter"
            type="search"
            data-search="page"
            aria-label="Filter objects by name"
            placeholder="Filter by name"
            value={filter.q}
            onChange={(event) => void setFilter({ q: event.target.value || null })}
          />
          <span className="grow" />
          {selected === undefined && (
            <>
              {fates.map((fate) => (
                <button
                  key={fate}
                  type="button"
                  className={`chip c-lab${filter.fate.includes(fate) ? " on" : ""}`}
                  aria-pressed={filter.fate.includes(fate)}
                  onClick={() => flip(fate)}
                >
                  <FateSymbol fate={fate} small />
                  {fateWord[fate]}
                </button>
              ))}
              {tab === "objects" &&
                owners.map((owner) => (
                  <button
                    key={owner}
                    type="button"
                    className={`chip dashed c-lab${filter.owner === owner ? " on" : ""}`}
                    aria-pressed={filter.owner === owner}
                    onClick={() => void setFilter({ owner: filter.owner === owner ? null : owner })}
                  >
                    {owner}
                  </button>
                ))}
              {tab === "objects" && (
                <button
                  type="button"
                  className={`chip c-lab${filter.unseen ? " on" : ""}`}
                  aria-pressed={filter.unseen}
                  onClick={() => void setFilter({ unseen: filter.unseen ? null : true })}
                >
                  Unseen {unseen}
                </button>
              )}
            </>
          )}
          {filtered && (
            <button
              className="btn quiet small"
              type="button"
              onClick={() => void setFilter({ q: null, fate: null, owner: null, unseen: null })}
            >
              <X className="i s" aria-hidden="true" />
              Clear
            </button>
          )}
        </div>
        <ObjectsTable
          caption={`Objects of plan ${view.id}, the most dangerous first`}
          sections={sections}
          selected={selected?.id ?? null}
          seen={seen}
          hrefOf={(id) => objectLink(view.id, id, tab)}
          onOpen={(id) => void setObject(id)}
          onUnfold={(open) => void setFilter({ neutral: open ? true : null })}
          pane={pane}
        />
        {visible.length === 0 && (
          <div className="empty">
            <b>{rows.length === 0 ? "This plan touches nothing" : "No object matches"}</b>
            <p>
              {rows.length === 0
                ? "The environment already matches the project."
                : "Clear the filters to see all of them."}
            </p>
          </div>
        )}
      </section>
      {selected !== undefined && (
        <ObjectDrawer
          view={view}
          row={selected}
          rows={byId}
          order={order}
          seen={seen}
          definition={definitionOf === selected.id ? definition : <p className="empty muted">Reading both texts</p>}
          evidence={evidence}
          onEvidence={(value) => void setEvidence(value)}
          onOpen={(id) => void setObject(id)}
          onClose={() => void setObject(null)}
          onSeen={toggle}
        />
      )}
      {selected === undefined && tab === "overview" && <PlanRail planId={planId} />}
    </main>
  );
}
