import { Check, Clock, OctagonAlert, Play, X } from "lucide-react";
import type { ComponentType } from "react";
import type { PlanState, RunState } from "../api/outputs.ts";

interface Look {
  readonly word: string;
  readonly tone: string;
  readonly icon: ComponentType<{ className?: string; "aria-hidden"?: "true" }> | null;
}

const plans: Readonly<Record<PlanState, Look>> = {
  open: { word: "Ready for review", tone: "info", icon: null },
  approved: { word: "Approved", tone: "ok", icon: Check },
  applying: { word: "Running", tone: "info", icon: Play },
  applied: { word: "Applied", tone: "ok", icon: Check },
  failed: { word: "Failed", tone: "stop", icon: X },
  stale: { word: "Out of date", tone: "line", icon: Clock },
  superseded: { word: "Superseded", tone: "line", icon: Clock },
  expired: { word: "Expired", tone: "line", icon: Clock },
  rejected: { word: "Rejected", tone: "stop", icon: X },
  discarded: { word: "Discarded", tone: "", icon: null },
};

const runs: Readonly<Record<RunState, Look>> = {
  running: { word: "Running", tone: "info", icon: Play },
  stopping: { word: "Stopping", tone: "warn", icon: Clock },
  applied: { word: "Applied", tone: "ok", icon: Check },
  failed: { word: "Failed", tone: "stop", icon: X },
  interrupted: { word: "Stopped, can be resumed", tone: "warn", icon: Clock },
  discarded: { word: "Discarded", tone: "", icon: null },
};

export function PlanBadge({ state, blocked }: { readonly state: PlanState; readonly blocked: boolean }) {
  const look = state === "open" && blocked ? { word: "Blocked", tone: "stop", icon: OctagonAlert } : plans[state];
  return <Badge {...look} />;
}

export function RunBadge({ state }: { readonly state: RunState }) {
  return <Badge {...runs[state]} />;
}

function Badge({ word, tone, icon: Icon }: Look) {
  return (
    <span className={`badge ${tone}`}>
      {Icon !== null && <Icon className="i" aria-hidden="true" />}
      {word}
    </span>
  );
}
