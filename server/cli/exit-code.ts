import type { Problem } from "../core/base/problem.ts";
import { exitOf } from "../core/base/problem-exit.ts";
import type { ProblemExit } from "../core/base/problem-shape.ts";
import type { PlanView } from "../core/review/plan-view.ts";

/** What the process ends with; the table stands in docs/command-line.md. */
export type ExitCode = 0 | 2 | 7 | 130 | 143 | ProblemExit;

export type StopName = "SIGINT" | "SIGTERM";

export const DONE: ExitCode = 0;
export const CHANGES: ExitCode = 2;
export const REFUSED: ExitCode = 3;

const signalExit: Readonly<Record<StopName, ExitCode>> = { SIGINT: 130, SIGTERM: 143 };

export function exitOfSignal(signal: StopName): ExitCode {
  return signalExit[signal];
}

/** A signal counts before every problem but wrong usage, which no signal can cause. */
export function exitOfFailure(problems: readonly Problem[], signal: StopName | null): ExitCode {
  return signal === null ? exitOf(problems) : exitOfSignal(signal);
}

/** Of a plan that was shown and not applied. A blocked one is 3 whatever was asked for. */
export function exitOfPlan(view: Pick<PlanView, "result">, detailed: boolean): ExitCode {
  if (view.result === "blocked") return REFUSED;
  return view.result === "applicable" && detailed ? CHANGES : DONE;
}
