import type { Exits, Sentences } from "../problem-shape.ts";

/** Faults of our own database and of what is asked of it. */
export interface StateProblems {
  state_unreachable: { readonly target: string; readonly reason: string };
  state_newer: { readonly found: number; readonly known: number };
  state_unreadable: { readonly what: string; readonly reason: string };
  plan_unknown: { readonly plan: string };
  environment_unknown: { readonly environment: string };
}

export const stateSentences: Sentences<StateProblems> = {
  state_unreachable: (f) => `The state database ${f.target} can't be reached: ${f.reason}.`,
  state_newer: (f) =>
    `The state database was written by a newer Weir (format ${f.found}, this one knows ${f.known}). Update Weir.`,
  state_unreadable: (f) => `${f.what} in the state database can't be read: ${f.reason}.`,
  plan_unknown: (f) => `There is no plan ${f.plan}.`,
  environment_unknown: (f) => `There is no environment ${f.environment}.`,
};

export const stateExits: Exits<StateProblems> = {
  state_unreachable: 5,
  state_newer: 5,
  state_unreadable: 1,
  plan_unknown: 64,
  environment_unknown: 64,
};
