import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { RunStage } from "../core/stage/run.ts";
import type { Evaluation } from "./evaluation.ts";

/** Looked at between transactions: whoever asked to stop, by signal or through state, is heard here. */
export async function stopIfAsked(evaluation: Evaluation, stage: RunStage): Promise<void> {
  const { run, state, signal } = evaluation;
  const asked = signal.aborted || (await state.readRun(run.id))?.state === "stopping";
  if (asked) throw new AppError(problem("run_interrupted", { run: run.id, stage }));
}
