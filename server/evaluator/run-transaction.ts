import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { Action } from "../core/plan/action.ts";
import type { RunStage } from "../core/stage/run.ts";
import type { StageTransaction } from "../core/stage/stage.ts";
import type { TransactionReport, TransactionStep, WriteTransaction } from "../ports/warehouse.ts";
import { describeFault } from "./describe-fault.ts";
import type { Evaluation } from "./evaluation.ts";
import { retryForLocks } from "./retry-for-locks.ts";
import { stopIfAsked } from "./stop-requested.ts";

/** A transaction that stands by itself: its marker, and two lines in the journal for each of its actions. */
export async function runTransaction(
  evaluation: Evaluation,
  stage: RunStage,
  transaction: StageTransaction,
): Promise<void> {
  const { journal, clock, progress } = evaluation;
  await stopIfAsked(evaluation, stage);
  await stopIfUncertain(evaluation, transaction);
  for (const action of transaction.actions) await journal.write({ kind: "action_started", action: action.id });
  const startedAt = Date.parse(clock.now());
  try {
    const report = await carryOut(evaluation, stage, transaction);
    const ms = Date.parse(clock.now()) - startedAt;
    for (const action of transaction.actions) {
      await journal.write({ kind: "action_done", action: action.id, ms, rows: report.rows, found: report.found });
      progress.done.add(action.id);
    }
  } catch (error) {
    throw await recordFailure(evaluation, stage, transaction, error);
  }
}

async function carryOut(
  evaluation: Evaluation,
  stage: RunStage,
  transaction: StageTransaction,
): Promise<TransactionReport> {
  const { warehouse, plan } = evaluation;
  if (!transaction.alone) {
    const whole = await makeTransaction(evaluation, stage, transaction);
    return retryForLocks(evaluation, stage, () => warehouse.runTransaction(whole));
  }
  for (const statement of transaction.actions.flatMap((action) => action.statements)) {
    await warehouse.runAlone(statement, { plan: plan.id, stage });
  }
  return { found: false, rows: null };
}

/**
 * A statement that refuses to run in a transaction has no marker. If an attempt died while it ran, nobody but a person
 * can say whether it did; once that person has looked and resumes, it is sent again.
 */
async function stopIfUncertain({ journal, progress }: Evaluation, { actions }: StageTransaction): Promise<void> {
  for (const action of actions) {
    const unclear = action.statements.find((statement) => !REPEATABLE.test(statement.sql));
    if (!progress.uncertain.has(action.id) || unclear === undefined) continue;
    const target = `${action.kind.replaceAll("_", " ")} of ${action.target.schema}.${action.target.name}`;
    const unknown = problem("outcome_unknown", { action: target, statement: unclear.sql });
    await journal.write({ kind: "action_failed", action: action.id, problem: unknown });
    throw new AppError(unknown);
  }
}

/** Doing it twice is doing it once. Not CREATE INDEX CONCURRENTLY IF NOT EXISTS, which takes a broken index for a whole one. */
const REPEATABLE = /^\s*(vacuum|analyze|reindex)\b/i;

/** Its actions in order, under its one marker. */
export async function makeTransaction(
  evaluation: Evaluation,
  stage: RunStage,
  { marker, actions }: StageTransaction,
): Promise<WriteTransaction> {
  const { plan, run, fences } = evaluation;
  const steps: TransactionStep[] = [];
  for (const action of actions) steps.push(await makeStep(evaluation, action));
  return {
    tag: { plan: plan.id, stage },
    fences,
    marker: { run: run.id, action: marker, batch: 0 },
    steps,
    captured: plan.effects.captured,
    environmentMarker: null,
  };
}

async function makeStep(evaluation: Evaluation, action: Action): Promise<TransactionStep> {
  const { guards, statements, artefact, target } = action;
  const searchPath = action.layer === "outside" ? "empty" : "authors";
  if (artefact === null) return { searchPath, guards, statements, seed: null };
  const rows = await evaluation.state.readArtefact(artefact);
  if (rows === null) {
    const what = `the rows of seed ${target.schema}.${target.name}`;
    throw new AppError(problem("state_unreadable", { what, reason: `no artefact ${artefact}` }));
  }
  return { searchPath, guards, statements, seed: { relation: { schema: target.schema, name: target.name }, rows } };
}

async function recordFailure(
  evaluation: Evaluation,
  stage: RunStage,
  { actions }: StageTransaction,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof WarehouseError)) return error;
  const action = actions[0] ?? null;
  const described = describeFault(evaluation, stage, action, error);
  const first = described.problems[0];
  // A process that lost its fence may write nothing more, not even that it failed.
  const mayWrite = error.fault.kind !== "fence_lost" && error.fault.kind !== "unreachable";
  if (mayWrite && action !== null && first !== undefined) {
    await evaluation.journal.write({ kind: "action_failed", action: action.id, problem: first });
  }
  return described;
}
