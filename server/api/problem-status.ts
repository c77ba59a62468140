import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";
import type { Problem } from "../core/base/problem.ts";
import { problemExit } from "../core/base/problem-exit.ts";
import type { ProblemExit } from "../core/base/problem-shape.ts";

const byExit: Readonly<Record<ProblemExit, TRPC_ERROR_CODE_KEY>> = {
  1: "UNPROCESSABLE_CONTENT",
  3: "PRECONDITION_FAILED",
  4: "UNPROCESSABLE_CONTENT",
  5: "SERVICE_UNAVAILABLE",
  6: "CONFLICT",
  64: "BAD_REQUEST",
};

/** HTTP speaks of the first problem; the others travel in the body. */
export function statusOf(problems: readonly Problem[]): TRPC_ERROR_CODE_KEY {
  const [first] = problems;
  if (first === undefined) return "INTERNAL_SERVER_ERROR";
  if (first.code === "plan_unknown" || first.code === "run_unknown" || first.code === "environment_unknown")
    return "NOT_FOUND";
  if (first.code === "plan_not_open" || first.code === "digest_differs") return "CONFLICT";
  return byExit[problemExit[first.code]];
}
