import type { Exits, Sentences } from "../problem-shape.ts";

/** Refusals of a decision on a plan. */
export interface ReviewProblems {
  plan_not_open: {
    readonly plan: string;
    readonly state: string;
    readonly by: string | null;
    readonly at: string | null;
  };
  plan_blocked: { readonly plan: string; readonly reasons: readonly string[] };
  digest_differs: { readonly plan: string; readonly given: string; readonly stored: string };
  approval_missing: { readonly plan: string; readonly missing: readonly string[] };
  reason_missing: { readonly plan: string };
}

export const reviewSentences: Sentences<ReviewProblems> = {
  plan_not_open: (f) =>
    `Plan ${f.plan} is already ${f.state}${f.by === null ? "" : ` by ${f.by}`}${f.at === null ? "" : ` at ${f.at}`}.`,
  plan_blocked: (f) => `Plan ${f.plan} is blocked: ${f.reasons.join("; ")}`,
  digest_differs: (f) => `Plan ${f.plan} has the digest ${f.stored}, not ${f.given}. Look at it again before deciding.`,
  reason_missing: (f) => `Say why plan ${f.plan} is rejected, so that its author knows what to change.`,
  approval_missing: (f) => `Plan ${f.plan} isn't approved yet: ${f.missing.join("; ")}.`,
};

export const reviewExits: Exits<ReviewProblems> = {
  plan_not_open: 3,
  plan_blocked: 3,
  digest_differs: 3,
  approval_missing: 3,
  reason_missing: 64,
};
