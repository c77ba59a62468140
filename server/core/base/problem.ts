import type { ApplyProblems } from "./problems/apply-problems.ts";
import type { EngineProblems } from "./problems/engine-problems.ts";
import type { LoadProblems } from "./problems/load-problems.ts";
import type { PlanProblems } from "./problems/plan-problems.ts";
import type { ReviewProblems } from "./problems/review-problems.ts";
import type { StateProblems } from "./problems/state-problems.ts";
import type { UsageProblems } from "./problems/usage-problems.ts";

/**
 * Every fault the product can name. A problem is data: a code, its fields and, where there is one, its place.
 * Sentences are built from these fields in `problems/*`, exit codes and HTTP statuses from the code alone.
 */
export type ProblemFields = LoadProblems &
  PlanProblems &
  StateProblems &
  EngineProblems &
  ReviewProblems &
  ApplyProblems &
  UsageProblems;
export type ProblemCode = keyof ProblemFields;
export type ProblemOf<C extends ProblemCode> = { readonly code: C; readonly place: Place | null } & ProblemFields[C];
export type Problem = { [C in ProblemCode]: ProblemOf<C> }[ProblemCode];

/** Where in a file a fault is. `path` is relative to the project, lines and columns count from 1, columns in characters. */
export interface Place {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
}

export function problem<C extends ProblemCode>(
  code: C,
  fields: ProblemFields[C],
  place: Place | null = null,
): ProblemOf<C> {
  return { code, place, ...fields };
}

export function placeText(place: Place): string {
  return [place.path, place.line, place.column].filter((part) => part !== null).join(":");
}
