import { assertNever } from "../core/base/result.ts";
import type { Stage, StageTransaction } from "../core/stage/stage.ts";
import type { Evaluation } from "./evaluation.ts";
import { finalise } from "./finalise.ts";
import { promote } from "./promote.ts";
import { recordFilled } from "./record-versions.ts";
import { runTransaction } from "./run-transaction.ts";
import { verify } from "./verify.ts";

/** What an earlier attempt at the same run has left behind. */
export interface Progress {
  /** Actions that the journal has as done. */
  readonly done: ReadonlySet<string>;
  readonly promoted: boolean;
}

/**
 * Carries out the stages in order. It decides nothing about models: what is to be done was decided in the plan, and
 * what is done already is known from the journal and from the markers in the warehouse.
 */
export async function evaluate(evaluation: Evaluation, stages: readonly Stage[], progress: Progress): Promise<void> {
  const { journal, state, run } = evaluation;
  for (const stage of stages) {
    if (stage.kind === "promotion" && progress.promoted) {
      await recordFoundPromotion(evaluation, stage.transaction, progress);
      continue;
    }
    const left = transactionsOf(stage).filter((transaction) => !isDone(transaction, progress));
    const actions = left.reduce((sum, transaction) => sum + transaction.actions.length, 0);
    await journal.write({ kind: "stage_started", stage: stage.kind, actions });
    await state.setRun(run.id, { stage: stage.kind });
    await runStage(evaluation, stage, left);
    await journal.write({ kind: "stage_done", stage: stage.kind });
  }
}

async function runStage(evaluation: Evaluation, stage: Stage, left: readonly StageTransaction[]): Promise<void> {
  switch (stage.kind) {
    case "preflight":
      return;
    case "schemas":
    case "create":
    case "fill":
    case "audit":
    case "fill_after":
    case "after":
      for (const transaction of left) {
        await runTransaction(evaluation, stage.kind, transaction);
        await recordFilled(evaluation, transaction.actions);
      }
      return;
    case "promotion":
      return promote(evaluation, stage.transaction);
    case "verify":
      return verify(evaluation);
    case "finalise":
      return finalise(evaluation);
    default:
      return assertNever(stage);
  }
}

/** An earlier attempt committed the promotion and died before it could say so; the journal says it now. */
async function recordFoundPromotion(
  { journal, plan }: Evaluation,
  transaction: StageTransaction,
  progress: Progress,
): Promise<void> {
  const unrecorded = transaction.actions.filter((action) => !progress.done.has(action.id));
  for (const { id } of unrecorded)
    await journal.write({ kind: "action_done", action: id, ms: 0, rows: null, found: true });
  await journal.write({ kind: "promoted", promotion: plan.effects.target.promotion + 1, ms: 0, found: true });
}

function transactionsOf(stage: Stage): readonly StageTransaction[] {
  if (stage.kind === "promotion") return [stage.transaction];
  return "transactions" in stage ? stage.transactions : [];
}

function isDone(transaction: StageTransaction, progress: Progress): boolean {
  return transaction.actions.length > 0 && transaction.actions.every((action) => progress.done.has(action.id));
}
