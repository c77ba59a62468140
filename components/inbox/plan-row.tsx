import { Clock, OctagonAlert, Play, X } from "lucide-react";
import Link from "next/link";
import type { PlanCard } from "../api/outputs.ts";
import { Ago } from "../ui/clock.tsx";
import { CountSymbols } from "../ui/counts-line.tsx";
import { planLink, runLink } from "../ui/links.ts";
import { RiskBadge } from "../ui/risk-badge.tsx";

interface PlanRowProps {
  readonly card: PlanCard;
  readonly selected: boolean;
  readonly onFocus: () => void;
}

export function PlanRow({ card, selected, onFocus }: PlanRowProps) {
  const ended = ["stale", "superseded", "expired", "rejected", "discarded"].includes(card.state);
  const running = card.state === "applying" && card.run !== null;
  return (
    <li className={`it${selected ? " sel" : ""}${ended ? " stale" : ""}`} aria-current={selected ? "true" : undefined}>
      <div className="rb">
        <RowBadge card={card} />
      </div>
      <div className="tt">
        <p>
          <Link
            href={running && card.run !== null ? runLink(card.run.id) : planLink(card.id)}
            data-row
            onFocus={onFocus}
          >
            {card.title}
          </Link>
          <span className="badge line">{card.environment}</span>
        </p>
        {running && card.run !== null ? <Progress run={card.run} /> : <CountSymbols summary={card.summary} />}
        <Note card={card} />
      </div>
      <div className="ag num">
        <Ago at={card.now} suffix={false} />
      </div>
      <span className="avatar c" title={card.author}>
        <span aria-hidden="true">{card.author.slice(0, 1).toUpperCase()}</span>
        <span className="sr">by {card.author}</span>
      </span>
    </li>
  );
}

function RowBadge({ card }: { readonly card: PlanCard }) {
  switch (card.state) {
    case "open":
    case "approved":
      if (card.result !== "blocked") return <RiskBadge level={card.risk.level} rule={card.risk.rule} />;
      return <Look tone="stop" icon={OctagonAlert} word="Blocked" />;
    case "applying":
      return <Look tone="info" icon={Play} word="Running" />;
    case "failed":
      return <Look tone="stop" icon={X} word="Failed" />;
    case "applied":
      return <Look tone="ok" icon={null} word="Applied" />;
    case "rejected":
      return <Look tone="stop" icon={X} word="Rejected" />;
    case "stale":
      return <Look tone="line" icon={Clock} word="Out of date" />;
    case "superseded":
      return <Look tone="line" icon={Clock} word="Superseded" />;
    case "expired":
      return <Look tone="line" icon={Clock} word="Expired" />;
    case "discarded":
      return <Look tone="" icon={null} word="Discarded" />;
  }
}

interface LookProps {
  readonly tone: string;
  readonly icon: typeof Clock | null;
  readonly word: string;
}

function Look({ tone, icon: Icon, word }: LookProps) {
  return (
    <span className={`badge ${tone}`}>
      {Icon !== null && <Icon className="i" aria-hidden="true" />}
      {word}
    </span>
  );
}

function Progress({ run }: { readonly run: NonNullable<PlanCard["run"]> }) {
  const percent = run.total === 0 ? 0 : Math.round((100 * run.done) / run.total);
  return (
    <>
      <span
        className="prog"
        role="progressbar"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={`${run.done} of ${run.total} actions`}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      <p className="nt num">
        {run.done} of {run.total} actions, stage {run.stage ?? "preflight"}
      </p>
    </>
  );
}

function Note({ card }: { readonly card: PlanCard }) {
  if (card.state === "stale")
    return (
      <p className="nt">
        {card.moved.length > 0 ? `Moved since: ${card.moved.join("; ")}.` : "What it relied on has moved."} Plan again.
      </p>
    );
  if (card.state === "rejected")
    return (
      <p className="nt">
        {card.stateBy} rejected it{card.stateReason === null ? "" : `: ${card.stateReason}`}
      </p>
    );
  if (card.state === "approved") return <p className="nt">Approved by {card.stateBy}</p>;
  if (card.state === "superseded" && card.supersededBy !== null)
    return (
      <p className="nt">
        Replaced by plan <span className="mono">{card.supersededBy}</span>
      </p>
    );
  const [blocker] = card.blockers;
  if (blocker !== undefined) return <p className="nt">{blocker.split(". ")[0]}.</p>;
  return null;
}
