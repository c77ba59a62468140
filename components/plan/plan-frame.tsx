"use client";

import { Layers } from "lucide-react";
import Link from "next/link";
import { useSelectedLayoutSegment } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { FaultView } from "../api/fault.ts";
import { Ago } from "../ui/clock.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { FaultPanel } from "../ui/fault-panel.tsx";
import { environmentLink, type PlanTab, planLink } from "../ui/links.ts";
import { RiskBadge } from "../ui/risk-badge.tsx";
import { PlanBadge } from "../ui/state-badge.tsx";
import { verdictOf } from "./next-step.ts";
import { PlanActions } from "./plan-actions.tsx";
import { PlanTiles } from "./plan-tiles.tsx";
import { SummaryLine } from "./summary-line.tsx";
import { usePlan } from "./use-plan.ts";

interface PlanFrameProps {
  readonly planId: string;
  readonly children: ReactNode;
}

/** The head of a plan, which stays while its tabs change: whole on the overview, short elsewhere. */
export function PlanFrame({ planId, children }: PlanFrameProps) {
  const { title, view, standing } = usePlan(planId);
  const tab = (useSelectedLayoutSegment() ?? "overview") as PlanTab;
  const [fault, setFault] = useState<FaultView | null>(null);
  const whole = tab === "overview";
  return (
    <>
      <section className="head" aria-label={`Plan ${view.id}`}>
        <div className="crumbs">
          <Link href="/plans">Plans</Link>
          <span>/</span>
          <b>{title}</b>
          <Link className="badge line" href={environmentLink(view.environment)}>
            <Layers className="i" aria-hidden="true" />
            {view.environment}
          </Link>
          <PlanBadge state={standing.state} blocked={view.result === "blocked"} />
          {!whole && (
            <span className="only-l">
              digest <b className="mono">{view.digest.slice(0, 8)}</b>
            </span>
          )}
        </div>
        <div className="verdict">
          <RiskBadge level={view.risk.level} rule={view.risk.rule} />
          <h1>{verdictOf(view, standing)}</h1>
          <PlanActions view={view} standing={standing} onFault={setFault} />
        </div>
        {fault !== null && (
          <FaultPanel
            what="The plan was not started"
            fault={fault}
            standing={`Nothing was changed on ${view.environment}.`}
          />
        )}
        {whole && (
          <>
            <SummaryLine view={view} />
            <PlanTiles view={view} />
            <div className="meta">
              <span>
                <span className="avatar xs c" aria-hidden="true">
                  {view.author.slice(0, 1).toUpperCase()}
                </span>
                <b>{view.author}</b> <Ago at={view.now} />
              </span>
              <span>
                plan <b className="mono">{view.id}</b>
              </span>
              <span className="only-l">
                project <b>{view.project === "" ? "unnamed" : view.project}</b>
              </span>
              <span>
                digest <b className="mono">{view.digest.slice(0, 8)}</b>
                <CopyButton text={view.digest} label="Copy the whole digest" />
              </span>
              <span>
                catalog read{" "}
                <b>
                  <Ago at={view.now} />
                </b>
              </span>
              <span className="only-l">
                decisions{" "}
                <b>
                  {standing.decisions.length === 0
                    ? "none yet"
                    : standing.decisions
                        .map(({ by, verdict }) => `${by} ${verdict === "approve" ? "approved" : "rejected"}`)
                        .join(", ")}
                </b>
              </span>
            </div>
          </>
        )}
        <PlanTabs
          planId={view.id}
          tab={tab}
          objects={view.graph.nodes.length}
          outside={
            view.dependents.filter(({ managed }) => !managed).length +
            (view.blockers.length > 0 && view.dependents.length === 0 ? view.blockers.length : 0)
          }
          statements={view.actions.reduce((sum, action) => sum + action.statements.length, 0)}
          activity={1 + standing.decisions.length + standing.runs.length}
        />
      </section>
      {children}
    </>
  );
}

interface PlanTabsProps {
  readonly planId: string;
  readonly tab: PlanTab;
  readonly objects: number;
  readonly outside: number;
  readonly statements: number;
  readonly activity: number;
}

function PlanTabs({ planId, tab, ...counts }: PlanTabsProps) {
  const tabs: readonly { readonly tab: PlanTab; readonly word: string; readonly count: number }[] = [
    { tab: "overview", word: "Overview", count: 0 },
    { tab: "objects", word: "Objects", count: counts.objects },
    { tab: "graph", word: "Graph", count: 0 },
    { tab: "outside", word: "Outside", count: counts.outside },
    { tab: "sql", word: "SQL", count: counts.statements },
    { tab: "activity", word: "Activity", count: counts.activity },
  ];
  return (
    <nav className="tabs" aria-label="Plan">
      {tabs.map(({ tab: each, word, count }) => (
        <Link key={each} href={planLink(planId, each)} aria-current={each === tab ? "page" : undefined}>
          {word} {count > 0 && <span className="count">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
