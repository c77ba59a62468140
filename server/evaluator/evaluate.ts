import { assertNever } from "../core/base/result.ts";
import type { Stage, StageTransaction } from "../core/stage/stage.ts";
import type { Evaluation } from "./evaluation.ts";
import { finalise } from "./finalise.ts";
import type { Progress } from "./progress.ts";
import { promote } from "./promote.ts";
import { recordFilled } from "./record-versions.ts";
import { runTransaction } from "./run-transaction.ts";
import { verify } from "./verify.ts";

/**
 * Carries out the stages in order, the last of which ends the run. It decides nothing about models: what is to be done
 * was decided in the plan, and what is done already is known from the journal and from the markers in the warehouse.
 *
 * @returns the run's last line
 */
export async function evaluate(evaluation: Evaluation, stages: readonly Stage[]): Promise<string> {
  const { journal, state, run, progress } = evaluation;
  for (const stage of stages) {
    if (stage.kind === "promotion" && progress.promoted) {
      const promotion = evaluation.plan.effects.target.promotion + 1;
      await journal.write({ kind: "promoted", promotion, ms: 0, found: true });
      continue;
    }
    const left = transactionsOf(stage).filter((transaction) => !isDone(transaction, progress));
    const actions = left.reduce((sum, transaction) => sum + transaction.actions.length, 0);
    await journal.write({ kind: "stage_started", stage: stage.kind, actions });
    await state.setRun(run.id, { stage: stage.kind });
    if (stage.kind === "finalise") return finalise(evaluation);
    await runStage(evaluation, stage, left);
    await journal.write({ kind: "stage_done", stage: stage.kind });
  }
  throw new Error("a plan without a last stage was applied");
}

async function runStage(
  evaluation: Evaluation,
  stage: Exclude<Stage, { kind: "finalise" }>,
  left: readonly StageTransaction[],
): Promise<void> {
  switch (stage.kind) {
    case "preflight":
      return;
    case "schemas":
    case "create":
    case "fill":
    case "audit":
      for (const transaction of left) {
        await runTransaction(evaluation, stage.kind, transaction);
        await recordFilled(evaluation, transaction.actions);
      }
      return;
    case "fill_after":
    case "after":
      // The environment serves these already: their versions are recorded with it, or by whoever settles the intent.
      for (const transaction of left) await runTransaction(evaluation, stage.kind, transaction);
      return;
    case "promotion":
      return promote(evaluation, stage.transaction);
    case "verify":
      return verify(evaluation);
    default:
      return assertNever(stage);
  }
}

function transactionsOf(stage: Stage): readonly StageTransaction[] {
  if (stage.kind === "promotion") return [stage.transaction];
  return "transactions" in stage ? stage.transactions : [];
}

function isDone(transaction: StageTransaction, progress: Progress): boolean {
  return transaction.actions.length > 0 && transaction.actions.every((action) => progress.done.has(action.id));
}
