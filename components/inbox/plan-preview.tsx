import Link from "next/link";
import type { PlanCard } from "../api/outputs.ts";
import { countsOf } from "../ui/counts-line.tsx";
import { type Fate, fateCount, fateOrder } from "../ui/fate.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { KeyCap } from "../ui/key-cap.tsx";
import { planLink } from "../ui/links.ts";
import { OwnerTag } from "../ui/owner-tag.tsx";
import { RiskBadge } from "../ui/risk-badge.tsx";

/** What a plan says above its fold, and every name that it touches. */
export function PlanPreview({ card }: { readonly card: PlanCard }) {
  const tiles = [
    ["Downtime", card.tiles.downtime],
    ["Data", card.tiles.data],
    ["Outside", card.tiles.outside],
    ["Undo", card.tiles.undo],
  ] as const;
  const groups = fateOrder
    .map((fate) => ({ fate, names: card.names.filter((each) => each.mark === fate) }))
    .filter(({ names }) => names.length > 0);
  return (
    <aside className="prev" aria-label={`Plan ${card.id}`}>
      <div className="ph">
        <div className="row">
          <RiskBadge level={card.risk.level} rule={card.risk.rule} />
          <span className="grow" />
          <span className="muted">digest</span>
          <b className="mono">{card.digest.slice(0, 8)}</b>
        </div>
        <h2>{card.verdict.replace(/\.$/, "")}</h2>
        <dl>
          {tiles.map(([word, tile]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{tile.headline}</dd>
            </div>
          ))}
        </dl>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
      <section className="names" aria-label="Names" tabIndex={0}>
        {groups.map(({ fate, names }) => (
          <section key={fate}>
            <h3>
              {names.length} {fateCount[fate as Fate]}
            </h3>
            <ul>
              {names.map((each) => (
                <li key={each.label}>
                  <FateSymbol fate={fate} small label />
                  <span className="mono full">{each.label}</span>
                  {!each.managed && <OwnerTag owner={each.owner} />}
                </li>
              ))}
            </ul>
          </section>
        ))}
        <p className="muted">
          {countsOf(card.summary)
            .filter(({ count }) => count === 0)
            .map(({ text }) => text)
            .join(", ")}
        </p>
      </section>
      <div className="pf">
        <span className="muted">
          {card.state === "open"
            ? "Not decided yet"
            : `${card.state}${card.stateBy === null ? "" : ` by ${card.stateBy}`}`}
        </span>
        <span className="grow" />
        <Link className="btn primary" href={planLink(card.id)}>
          {card.state === "open" && card.result === "applicable" ? "Review this plan" : "Open this plan"}{" "}
          <KeyCap>↵</KeyCap>
        </Link>
      </div>
    </aside>
  );
}
