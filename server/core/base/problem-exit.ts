import type { Problem, ProblemCode } from "./problem.ts";
import type { ProblemExit } from "./problem-shape.ts";
import { applyExits } from "./problems/apply-problems.ts";
import { engineExits } from "./problems/engine-problems.ts";
import { loadExits } from "./problems/load-problems.ts";
import { planExits } from "./problems/plan-problems.ts";
import { reviewExits } from "./problems/review-problems.ts";
import { stateExits } from "./problems/state-problems.ts";
import { usageExits } from "./problems/usage-problems.ts";

export const problemExit: Readonly<Record<ProblemCode, ProblemExit>> = {
  ...loadExits,
  ...planExits,
  ...stateExits,
  ...engineExits,
  ...reviewExits,
  ...applyExits,
  ...usageExits,
};

/** When several fit, the first of this order counts. */
const precedence: readonly ProblemExit[] = [64, 5, 4, 6, 3, 1];

export function exitOf(problems: readonly Problem[]): ProblemExit {
  const codes = new Set(problems.map((each) => problemExit[each.code]));
  return precedence.find((code) => codes.has(code)) ?? 1;
}
