import type { Exits, Sentences } from "../problem-shape.ts";

/** Faults in asking for a plan, or in reading a stored one. What stops a plan from being applied is a blocker, not a problem. */
export interface PlanProblems {
  environment_invalid: { readonly name: string; readonly reason: string };
  name_too_long: { readonly what: string; readonly names: readonly string[] };
  plan_format_unknown: { readonly format: string };
  plan_unreadable: { readonly reason: string };
}

export const planSentences: Sentences<PlanProblems> = {
  environment_invalid: (f) => `"${f.name}" can't name an environment: ${f.reason}`,
  name_too_long: (f) => `${f.what} would be longer than 63 bytes: ${f.names.join(", ")}. Choose shorter names.`,
  plan_format_unknown: (f) =>
    `This plan has the format ${f.format}, which this version of Weir can't read. Use a newer version.`,
  plan_unreadable: (f) => `This plan can't be read: ${f.reason}. Make a new one.`,
};

export const planExits: Exits<PlanProblems> = {
  environment_invalid: 64,
  name_too_long: 4,
  plan_format_unknown: 1,
  plan_unreadable: 1,
};
