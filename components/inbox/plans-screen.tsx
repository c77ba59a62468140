"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useTRPC } from "../api/api-provider.tsx";
import type { PlanCard } from "../api/outputs.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PlanBrowser } from "./plan-browser.tsx";

const filters = { environment: parseAsString, state: parseAsString };

/** Every plan there ever was, newest first, narrowed by chips that live in the address. */
export function PlansScreen() {
  const trpc = useTRPC();
  const [filter, setFilter] = useQueryStates(filters);
  const plans = useQuery(trpc.plans.list.queryOptions({}, { refetchInterval: 3_000 }));
  const cards = [...(plans.data ?? [])].sort((a, b) => b.now.localeCompare(a.now));
  const shown = cards.filter(
    ({ environment, state }) =>
      (filter.environment === null || environment === filter.environment) &&
      (filter.state === null || state === filter.state),
  );
  const values = (pick: (card: PlanCard) => string) => [...new Set(cards.map(pick))].sort();
  return (
    <>
      <section className="head short filtered" aria-label="Summary">
        <div className="verdict">
          <h1>
            {cards.length} plan{cards.length === 1 ? "" : "s"}
            {shown.length < cards.length ? `, ${shown.length} shown` : ""}
          </h1>
        </div>
        <div className="chips">
          {values(({ environment }) => environment).map((value) => (
            <Chip
              key={value}
              label={value}
              on={filter.environment === value}
              toggle={() => void setFilter({ environment: filter.environment === value ? null : value })}
            />
          ))}
          <span className="chip-gap" />
          {values(({ state }) => state).map((value) => (
            <Chip
              key={value}
              label={value}
              on={filter.state === value}
              toggle={() => void setFilter({ state: filter.state === value ? null : value })}
            />
          ))}
        </div>
      </section>
      <PlanBrowser
        groups={shown.length === 0 ? [] : [{ title: "Newest first", cards: shown }]}
        empty={
          <EmptyState title={cards.length === 0 ? "No plan has been made yet" : "No plan matches these filters"}>
            <p>
              {cards.length === 0 ? (
                <>
                  Run <code>weir plan prod --submit</code> in a project folder.
                </>
              ) : (
                <button className="btn small" type="button" onClick={() => void setFilter(null)}>
                  Clear the filters
                </button>
              )}
            </p>
          </EmptyState>
        }
      />
    </>
  );
}

interface ChipProps {
  readonly label: string;
  readonly on: boolean;
  readonly toggle: () => void;
}

export function Chip({ label, on, toggle }: ChipProps) {
  return (
    <button className={`chip${on ? " on" : ""}`} type="button" aria-pressed={on} onClick={toggle}>
      {label}
      {on && <X className="i s" aria-hidden="true" />}
    </button>
  );
}
