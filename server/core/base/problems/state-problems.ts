import type { Exits, Sentences } from "../problem-shape.ts";

/** Faults of our own database and of what is asked of it. */
export interface StateProblems {
  state_unreachable: { readonly target: string; readonly reason: string };
  state_forbidden: { readonly target: string; readonly reason: string };
  state_newer: { readonly found: number; readonly known: number };
  state_not_set_up: { readonly target: string; readonly reason: string };
  state_in_use: { readonly holders: readonly string[] };
  state_unreadable: { readonly what: string; readonly reason: string };
  promotion_conflict: { readonly environment: string; readonly found: number; readonly next: number };
  plan_unknown: { readonly plan: string };
  environment_unknown: { readonly environment: string };
}

export const stateSentences: Sentences<StateProblems> = {
  state_unreachable: (f) => `The state database ${f.target} can't be reached: ${f.reason}.`,
  state_forbidden: (f) => `The state database ${f.target} refuses: ${f.reason}. Grant the right, or use another role.`,
  state_newer: (f) =>
    `The state database was written by a newer Weir (format ${f.found}, this one knows ${f.known}). Update Weir.`,
  state_not_set_up: (f) => `The state database ${f.target} lacks tables of ours: ${f.reason}. Run "weir migrate".`,
  state_in_use: (f) =>
    `The state database can't be upgraded while these run: ${f.holders.join("; ")}. Try again when they are done.`,
  state_unreadable: (f) => `${f.what} in the state database can't be read: ${f.reason}.`,
  promotion_conflict: (f) =>
    `${f.environment} is at promotion ${f.found}, so promotion ${f.next} can't be recorded. State and warehouse disagree; was a backup restored?`,
  plan_unknown: (f) => `There is no plan ${f.plan}.`,
  environment_unknown: (f) => `There is no environment ${f.environment}.`,
};

export const stateExits: Exits<StateProblems> = {
  state_unreachable: 5,
  state_forbidden: 5,
  state_newer: 5,
  state_not_set_up: 5,
  state_in_use: 6,
  state_unreadable: 1,
  promotion_conflict: 1,
  plan_unknown: 64,
  environment_unknown: 64,
};
