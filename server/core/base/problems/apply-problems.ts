import type { Exits, Sentences } from "../problem-shape.ts";

/** What can end an apply before it is done. Each leaves a state from which resuming or planning again goes on. */
export interface ApplyProblems {
  plan_stale: { readonly plan: string; readonly moved: readonly string[] };
  environment_held: { readonly environment: string; readonly by: string; readonly since: string };
  run_interrupted: { readonly run: string; readonly stage: string };
  promotion_blocked: { readonly waitedMs: number; readonly blockers: readonly string[] };
  action_failed: {
    readonly action: string;
    readonly target: string;
    readonly sqlstate: string;
    readonly message: string;
  };
  verify_failed: { readonly differences: readonly string[] };
  fence_lost: { readonly scope: string };
  resume_needed: { readonly plan: string };
  run_unknown: { readonly run: string };
  run_not_running: { readonly run: string; readonly state: string };
  outcome_unknown: { readonly action: string; readonly statement: string };
}

export const applySentences: Sentences<ApplyProblems> = {
  plan_stale: (f) =>
    `Plan ${f.plan} is stale, nothing was changed. Since it was made these moved: ${f.moved.join("; ")}. Plan again.`,
  environment_held: (f) =>
    `${f.environment} is held by ${f.by} since ${f.since}. Wait for it, or run "weir apply --resume" if it died.`,
  run_interrupted: (f) =>
    `Run ${f.run} was interrupted in stage ${f.stage}. Everything done so far is recorded; "weir apply --resume" goes on.`,
  promotion_blocked: (f) =>
    `The promotion waited ${Math.round(f.waitedMs / 1000)} s for locks and gave up, nothing was switched. Held by ${f.blockers.join("; ")}. Resume when they are gone.`,
  action_failed: (f) => `${f.action} of ${f.target} failed (${f.sqlstate}): ${f.message}`,
  verify_failed: (f) => `After the promotion the catalog differs from the plan: ${f.differences.join("; ")}.`,
  fence_lost: (f) => `Another process took over ${f.scope}. This one stopped before writing anything more.`,
  resume_needed: (f) =>
    `The last run of plan ${f.plan} failed. Look at why, then go on with "weir apply ${f.plan} --resume", or plan again.`,
  run_unknown: (f) => `There is no run ${f.run}.`,
  run_not_running: (f) => `Run ${f.run} isn't running: it is ${f.state}.`,
  outcome_unknown: (f) =>
    `It can't be known whether this statement of ${f.action} ran: ${f.statement}. Check by hand, then discard or resume.`,
};

export const applyExits: Exits<ApplyProblems> = {
  plan_stale: 3,
  environment_held: 6,
  run_interrupted: 1,
  promotion_blocked: 1,
  action_failed: 1,
  verify_failed: 1,
  fence_lost: 6,
  resume_needed: 3,
  run_unknown: 64,
  run_not_running: 3,
  outcome_unknown: 1,
};
