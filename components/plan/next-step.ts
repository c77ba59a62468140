import type { PlanView, Standing } from "../api/outputs.ts";

/** The one thing that can truly be done next with a plan. */
export type NextStep =
  | { readonly kind: "decide"; readonly label: string }
  | { readonly kind: "start"; readonly label: string }
  | { readonly kind: "watch"; readonly label: string; readonly run: string }
  | { readonly kind: "open"; readonly label: string; readonly plan: string }
  | { readonly kind: "look"; readonly label: string }
  /** Only the project can go on: the command to run there. */
  | { readonly kind: "command"; readonly label: string; readonly command: string }
  | { readonly kind: "none"; readonly label: string };

export function nextStep(view: PlanView, standing: Standing): NextStep {
  const { environment } = view;
  const [run] = standing.runs;
  const command = `weir plan ${environment} --submit`;
  switch (standing.state) {
    case "open":
      if (view.result === "blocked") return { kind: "look", label: "See what blocks it" };
      if (view.result === "empty") return { kind: "none", label: `${environment} matches the project` };
      return { kind: "decide", label: "Approve this plan" };
    case "approved":
      return { kind: "start", label: `Start on ${environment}` };
    case "applying":
      return run === undefined
        ? { kind: "none", label: "Waiting for the worker" }
        : { kind: "watch", label: "Watch the run", run: run.id };
    case "failed":
      return { kind: "start", label: `Resume on ${environment}` };
    case "applied":
      return run === undefined
        ? { kind: "none", label: "Applied" }
        : { kind: "watch", label: "Open the run", run: run.id };
    case "stale":
      return { kind: "command", label: `Plan again: ${environment} moved`, command };
    case "superseded":
      return standing.supersededBy === null
        ? { kind: "command", label: "Plan again", command }
        : { kind: "open", label: "Open the newer plan", plan: standing.supersededBy };
    case "expired":
    case "rejected":
    case "discarded":
      return { kind: "command", label: "Plan again", command };
  }
}

/** What is true of the plan now; while it is open that is the plan's own verdict. */
export function verdictOf(view: PlanView, standing: Standing): string {
  const { environment } = view;
  switch (standing.state) {
    case "open":
      return view.verdict.replace(/\.$/, "");
    case "approved":
      return `Approved by ${standing.stateBy ?? "somebody"}, ready to start on ${environment}`;
    case "applying":
      return `Running on ${environment}`;
    case "applied":
      return `Applied: ${environment} serves this plan`;
    case "failed":
      return `Failed on ${environment}: what was done is kept, and the run can be resumed`;
    case "stale":
      return `Out of date: ${standing.moved[0] ?? `${environment} moved since it was made`}`;
    case "superseded":
      return "Superseded by a newer plan of the same author";
    case "expired":
      return "Expired: nobody started it within 7 days";
    case "rejected":
      return `Rejected by ${standing.stateBy ?? "somebody"}${standing.stateReason === null ? "" : `: ${standing.stateReason}`}`;
    case "discarded":
      return "Discarded: nothing of it was applied";
  }
}
