"use client";

import { Check, Copy } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { FaultView } from "../api/fault.ts";
import type { PlanView, Standing } from "../api/outputs.ts";
import { KeyCap } from "../ui/key-cap.tsx";
import { planLink, runLink } from "../ui/links.ts";
import { DecisionSheet } from "./decision-sheet.tsx";
import { nextStep } from "./next-step.ts";
import { StartButton } from "./start-button.tsx";
import { useStart } from "./use-start.ts";

interface PlanActionsProps {
  readonly view: PlanView;
  readonly standing: Standing;
  readonly onFault: (fault: FaultView | null) => void;
}

/** One primary button, named for the true next step. */
export function PlanActions({ view, standing, onFault }: PlanActionsProps) {
  const [sheet, setSheet] = useState(false);
  const [copied, setCopied] = useState(false);
  const starting = useStart(view.id, onFault);
  const step = nextStep(view, standing);
  const [run] = standing.runs;
  const open = standing.state === "open";
  return (
    <div className="acts">
      {open && view.result !== "empty" && (
        <button className="btn" type="button" onClick={() => setSheet(true)}>
          Reject
        </button>
      )}
      {standing.state === "failed" && run !== undefined && (
        <Link className="btn" href={runLink(run.id)}>
          Open the failed run
        </Link>
      )}
      {step.kind === "decide" && (
        <button className="btn primary" type="button" data-key="a" onClick={() => setSheet(true)}>
          {step.label} <KeyCap>a</KeyCap>
        </button>
      )}
      {step.kind === "start" && <StartButton environment={view.environment} label={step.label} starting={starting} />}
      {step.kind === "watch" && (
        <Link className="btn primary" href={runLink(step.run)}>
          {step.label}
        </Link>
      )}
      {step.kind === "open" && (
        <Link className="btn primary" href={planLink(step.plan)}>
          {step.label}
        </Link>
      )}
      {step.kind === "look" && (
        <Link className="btn primary" href={planLink(view.id, "outside")} data-key="a">
          {step.label}
        </Link>
      )}
      {step.kind === "command" && (
        <button
          className="btn primary"
          type="button"
          title={step.command}
          onClick={() => navigator.clipboard.writeText(step.command).then(() => setCopied(true))}
        >
          {copied ? <Check className="i s" aria-hidden="true" /> : <Copy className="i s" aria-hidden="true" />}
          {copied ? "Command copied, run it in the project" : step.label}
        </button>
      )}
      {step.kind === "none" && (
        <button className="btn" type="button" disabled>
          {step.label}
        </button>
      )}
      {open && <DecisionSheet view={view} open={sheet} onOpenChange={setSheet} />}
    </div>
  );
}
