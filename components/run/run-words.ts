import type { PlanView, Run } from "../api/outputs.ts";
import type { RunProgress, Stage } from "./run-progress.ts";

const doing: Readonly<Record<string, string>> = {
  fill_table: "Filling",
  load_seed: "Loading",
  refresh_materialized_view: "Refreshing",
  create_index: "Indexing",
  analyze: "Analysing",
  create_virtual_view: "Switching",
  replace_virtual_view: "Switching",
  recreate_virtual_view: "Switching",
  drop_virtual_view: "Dropping",
  alter_table: "Altering",
};

const stageDoing: Readonly<Record<Stage, string>> = {
  preflight: "Comparing the catalog with the plan",
  schemas: "Creating schemas",
  create: "Creating new versions",
  fill: "Filling new versions",
  audit: "Auditing new versions",
  promotion: "Promoting",
  fill_after: "Filling what already serves",
  after: "Finishing",
  verify: "Verifying",
  finalise: "Recording the result",
};

/** What is true of the run, in one sentence. */
export function runSentence(view: PlanView, run: Run, progress: RunProgress): string {
  const { environment } = run;
  const serves =
    progress.promotedAt === null ? `${environment} serves what it did before` : `${environment} serves this plan`;
  if (progress.ended?.state === "failed" || run.state === "failed") return failure(view, progress);
  if (progress.ended?.state === "interrupted" || run.state === "interrupted")
    return `Stopped at ${progress.done} of ${progress.total}; ${serves}`;
  if (run.state === "applied" || progress.ended !== null) return `Applied: ${environment} serves this plan`;
  if (run.state === "discarded") return "Discarded";
  if (progress.waiting !== null) return `Waiting for locks on ${environment}; ${serves}`;
  const now = view.actions.find(({ id }) => progress.running.includes(id));
  if (now !== undefined)
    return `${doing[now.kind] ?? "Creating"} ${now.model ?? now.target.name}, ${progress.done} of ${progress.total} done; ${serves}`;
  const stage = progress.stages.find(({ state }) => state === "now")?.stage ?? run.stage ?? "preflight";
  return `${stageDoing[stage]}, ${progress.done} of ${progress.total} done; ${serves}`;
}

function failure(view: PlanView, progress: RunProgress): string {
  const action = view.actions.find(({ id }) => id === progress.failed?.action);
  if (action === undefined) return progress.ended?.line ?? "Failed";
  const message = progress.failed?.problem.message ?? null;
  return `Failed at ${progress.done + 1} of ${progress.total}: ${action.model ?? action.target.name}${message === null ? "" : `, ${message}`}`;
}

/** What readers get, and since when. */
export function servingWords(
  environment: string,
  progress: RunProgress,
): { readonly title: string; readonly detail: string } {
  if (progress.promotedAt === null) {
    return { title: `${environment} serves what it did before`, detail: "Nothing that readers use has been switched" };
  }
  return {
    title: `${environment} serves this plan`,
    detail: `All names were switched in one transaction at ${progress.promotedAt.slice(11, 19)} UTC${progress.promotionMs === null ? "" : `, ${progress.promotionMs} ms`}`,
  };
}
