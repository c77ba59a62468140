"use client";

import { Check, Clock, OctagonAlert, TriangleAlert, X } from "lucide-react";
import Link from "next/link";
import { Ago } from "../ui/clock.tsx";
import { planLink, runLink } from "../ui/links.ts";
import { spellName } from "../ui/split-name.ts";
import { usePlan } from "./use-plan.ts";

const toneOf = { low: "wait", moderate: "att", high: "no", critical: "no" } as const;

/** Decisions, hazards, checks and what else the plan has to say. */
export function PlanRail({ planId }: { readonly planId: string }) {
  const { view, standing } = usePlan(planId);
  const [run] = standing.runs;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard.
    <aside className="rail pane" aria-label="Decisions, hazards and checks" tabIndex={0}>
      {view.blockers.length > 0 && (
        <section>
          <h2>
            Blocked by <span className="count">{view.blockers.length}</span>
          </h2>
          <ul>
            {view.blockers.map((blocker) => (
              <li key={blocker.sentence}>
                <OctagonAlert className="i s no" aria-hidden="true" />
                <span>
                  {blocker.sentence} <code className="muted">{blocker.code}</code>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Decision</h2>
        <ul>
          {standing.decisions.length === 0 && (
            <li>
              <Clock className="i s wait" aria-hidden="true" />
              <span>
                Nobody has decided yet
                <br />
                <span className="muted">one person's word is enough here</span>
              </span>
            </li>
          )}
          {standing.decisions.map((decision) => (
            <li key={decision.at}>
              {decision.verdict === "approve" ? (
                <Check className="i s ok" aria-hidden="true" />
              ) : (
                <X className="i s no" aria-hidden="true" />
              )}
              <span>
                {decision.by} {decision.verdict === "approve" ? "approved" : "rejected"}
                {decision.reason !== null && (
                  <>
                    <br />
                    <span className="muted">{decision.reason}</span>
                  </>
                )}
              </span>
              <span>
                <Ago at={decision.at} suffix={false} />
              </span>
            </li>
          ))}
          {run !== undefined && (
            <li>
              <Clock className="i s wait" aria-hidden="true" />
              <span>
                <Link className="link" href={runLink(run.id)}>
                  Run {run.id}
                </Link>{" "}
                {run.state}
              </span>
              <span>
                <Ago at={run.startedAt} suffix={false} />
              </span>
            </li>
          )}
        </ul>
      </section>
      <section>
        <h2>
          Hazards <span className="count">{view.hazards.length}</span>
        </h2>
        <ul>
          {view.hazards.length === 0 && (
            <li>
              <Check className="i s ok" aria-hidden="true" />
              <span>None found</span>
            </li>
          )}
          {view.hazards.map((hazard) => (
            <li key={`${hazard.code} ${hazard.sentence}`}>
              <TriangleAlert className={`i s ${toneOf[hazard.severity]}`} aria-hidden="true" />
              <span>
                {hazard.sentence}
                <br />
                <span className="muted">
                  {hazard.severity} · <code>{hazard.code}</code>
                </span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      {view.audits.length > 0 && (
        <section>
          <h2>
            Audits <span className="count">{view.audits.length}</span>
          </h2>
          <ul>
            {view.audits.map((audit) => (
              <li key={`${audit.model} ${audit.name}`}>
                <Clock className="i s wait" aria-hidden="true" />
                <span>
                  <code>{audit.name}</code> of <code>{audit.model}</code>
                  <br />
                  <span className="muted">
                    {audit.when}
                    {audit.blocking ? ", stops the run if it fails" : ""}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(view.warnings.length > 0 || standing.moved.length > 0) && (
        <section>
          <h2>Worth knowing</h2>
          <ul>
            {standing.moved.map((moved) => (
              <li key={moved}>
                <TriangleAlert className="i s att" aria-hidden="true" />
                <span>Moved since: {moved}</span>
              </li>
            ))}
            {view.warnings.map((warning) => (
              <li key={warning}>
                <TriangleAlert className="i s att" aria-hidden="true" />
                <span>{warning}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {standing.supersededBy !== null && (
        <section>
          <h2>Replaced</h2>
          <ul>
            <li>
              <Clock className="i s wait" aria-hidden="true" />
              <span>
                by{" "}
                <Link className="link mono" href={planLink(standing.supersededBy)}>
                  {standing.supersededBy}
                </Link>
              </span>
            </li>
          </ul>
        </section>
      )}
      {view.dependents.length > 0 && (
        <section>
          <h2>
            Outside the project{" "}
            <span className="count">{view.dependents.filter(({ managed }) => !managed).length}</span>
          </h2>
          <ul>
            {view.dependents
              .filter(({ managed }) => !managed)
              .map((dependent) => (
                <li key={`${dependent.object.type} ${spellName(dependent.object)}`}>
                  <Check
                    className={`i s ${dependent.fate === "kept" ? "ok" : dependent.fate === "blocked" || dependent.fate === "lost" ? "no" : "att"}`}
                    aria-hidden="true"
                  />
                  <span>
                    <code>{spellName(dependent.object)}</code> {dependent.fate}
                  </span>
                  <span>{dependent.owner}</span>
                </li>
              ))}
          </ul>
        </section>
      )}
    </aside>
  );
}
