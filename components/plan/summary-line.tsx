import Link from "next/link";
import { Fragment } from "react";
import type { PlanView } from "../api/outputs.ts";
import { spokenCounts } from "../ui/counts-line.tsx";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { planLink } from "../ui/links.ts";

/** The one grammar of counts; each number leads to its rows. */
export function SummaryLine({ view }: { readonly view: PlanView }) {
  const { summary } = view;
  if (view.result === "empty") return <p className="sum">{summary.line}</p>;
  return (
    <p className="sum">
      <span className="muted">Plan:</span>
      {spokenCounts(summary).map(({ fate, count, text }, index) => (
        <Fragment key={fate}>
          {index > 0 && <span className="sep">,</span>}
          <Link href={count === 0 ? planLink(view.id, "objects") : `${planLink(view.id, "objects")}?fate=${fate}`}>
            {count > 0 && <FateSymbol fate={fate} small />}
            {text}
          </Link>
        </Fragment>
      ))}
      <span className="sep">.</span>
      {summary.intervals > 0 && (
        <span>
          Backfill: {summary.intervals} interval{summary.intervals === 1 ? "" : "s"} in {summary.models} model
          {summary.models === 1 ? "" : "s"}.
        </span>
      )}
      {view.blockers.length > 0 && (
        <Link className="word-blocked" href={planLink(view.id, "outside")}>
          <FateSymbol fate="blocked" small />
          {view.blockers.length} blocked.
        </Link>
      )}
    </p>
  );
}
