"use client";

import { type ReactNode, useState } from "react";
import type { PlanGroup } from "./plan-groups.ts";
import { PlanPreview } from "./plan-preview.tsx";
import { PlanRow } from "./plan-row.tsx";

/** Groups of plans, with the one that has the focus (at first the topmost) shown beside them. */
export function PlanBrowser({ groups, empty }: { readonly groups: readonly PlanGroup[]; readonly empty: ReactNode }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const cards = groups.flatMap((group) => group.cards);
  const shown = cards.find(({ id }) => id === chosen) ?? cards[0];
  if (shown === undefined) {
    return (
      <main className="work" id="main">
        <div className="pane">{empty}</div>
      </main>
    );
  }
  return (
    <main className="work two" id="main">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
      <section className="pane" aria-label="Plans" tabIndex={0}>
        {groups.map(({ title, cards }) => (
          <section key={title} aria-label={title}>
            <h2 className="gh">
              {title} <span className="count">{cards.length}</span>
            </h2>
            <ul>
              {cards.map((card) => (
                <PlanRow key={card.id} card={card} selected={card.id === shown.id} onFocus={() => setChosen(card.id)} />
              ))}
            </ul>
          </section>
        ))}
      </section>
      <PlanPreview card={shown} />
    </main>
  );
}
