"use client";

import { Check, FileText, Play, X } from "lucide-react";
import Link from "next/link";
import { usePlan } from "../plan/use-plan.ts";
import { Ago } from "../ui/clock.tsx";
import { environmentLink, runLink } from "../ui/links.ts";

/** What happened to the plan, newest first; and how it is undone. */
export function ActivityScreen({ planId }: { readonly planId: string }) {
  const { view, standing } = usePlan(planId);
  return (
    <main className="work" id="main">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
      <section className="pane" aria-label="Activity" tabIndex={0}>
        <ol className="story">
          {standing.runs.map((run) => (
            <li key={run.id}>
              <Play className="i s wait" aria-hidden="true" />
              <span>
                {run.startedBy} started{" "}
                <Link className="link" href={runLink(run.id)} data-row>
                  run {run.id}
                </Link>{" "}
                on {run.environment}: {run.state}, {run.done} of {run.total} actions
              </span>
              <span className="muted">
                <Ago at={run.startedAt} />
              </span>
            </li>
          ))}
          {[...standing.decisions].reverse().map((decision) => (
            <li key={decision.at}>
              {decision.verdict === "approve" ? (
                <Check className="i s ok" aria-hidden="true" />
              ) : (
                <X className="i s no" aria-hidden="true" />
              )}
              <span>
                {decision.by} {decision.verdict === "approve" ? "approved" : "rejected"} digest{" "}
                <code className="full">{decision.digest.slice(0, 16)}</code>, {decision.units.length} units
                {decision.how === "auto-apply" ? " (recorded by --auto-apply)" : ""}
                {decision.reason !== null && <p className="t2">{decision.reason}</p>}
              </span>
              <span className="muted">
                <Ago at={decision.at} />
              </span>
            </li>
          ))}
          <li>
            <FileText className="i s wait" aria-hidden="true" />
            <span>
              {view.author} made the plan with {view.tool}
              <p className="muted">
                It relied on {view.base.length} fact{view.base.length === 1 ? "" : "s"} of state and catalog, read again
                before anything is switched.
              </p>
            </span>
            <span className="muted">
              <Ago at={view.now} />
            </span>
          </li>
        </ol>
        <div className="empty">
          <b>The way back</b>
          <p>
            {view.tiles.undo.headline} {view.tiles.undo.text}. {view.tiles.undo.detail}. What serves now is under{" "}
            <Link className="link" href={environmentLink(view.environment)}>
              {view.environment}
            </Link>
            .
          </p>
        </div>
      </section>
    </main>
  );
}
