import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { WarehouseError } from "../core/catalog/warehouse-error.ts";
import type { Action } from "../core/plan/action.ts";
import type { RunStage } from "../core/stage/run.ts";
import type { StageTransaction } from "../core/stage/stage.ts";
import type { TransactionReport, TransactionStep, WriteTransaction } from "../ports/warehouse.ts";
import type { Evaluation } from "./evaluation.ts";
import { stopIfAsked } from "./stop-requested.ts";

/** A transaction that stands by itself: its marker, and two lines in the journal for each of its actions. */
export async function runTransaction(
  evaluation: Evaluation,
  stage: RunStage,
  transaction: StageTransaction,
): Promise<void> {
  const { journal, clock } = evaluation;
  await stopIfAsked(evaluation, stage);
  for (const action of transaction.actions) await journal.write({ kind: "action_started", action: action.id });
  const startedAt = Date.parse(clock.now());
  try {
    const report = await carryOut(evaluation, stage, transaction);
    const ms = Date.parse(clock.now()) - startedAt;
    for (const action of transaction.actions) {
      await journal.write({ kind: "action_done", action: action.id, ms, rows: report.rows, found: report.found });
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
  if (!transaction.alone) return warehouse.runTransaction(await makeTransaction(evaluation, stage, transaction));
  for (const statement of transaction.actions.flatMap((action) => action.statements)) {
    await warehouse.runAlone(statement, { plan: plan.id, stage });
  }
  return { found: false, rows: null };
}

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
    environmentMarker: null,
  };
}

async function makeStep(evaluation: Evaluation, action: Action): Promise<TransactionStep> {
  const { guards, statements, artefact, target } = action;
  if (artefact === null) return { guards, statements, seed: null };
  const rows = await evaluation.state.readArtefact(artefact);
  if (rows === null) {
    const what = `the rows of seed ${target.schema}.${target.name}`;
    throw new AppError(problem("state_unreadable", { what, reason: `no artefact ${artefact}` }));
  }
  return { guards, statements, seed: { relation: { schema: target.schema, name: target.name }, rows } };
}

async function recordFailure(
  evaluation: Evaluation,
  stage: RunStage,
  { actions }: StageTransaction,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof WarehouseError)) return error;
  const action = actions[0] ?? null;
  const described = faultOf(evaluation, stage, action, error);
  const first = described.problems[0];
  // A process that lost its fence may write nothing more, not even that it failed.
  const mayWrite = error.fault.kind !== "fence_lost" && error.fault.kind !== "unreachable";
  if (mayWrite && action !== null && first !== undefined) {
    await evaluation.journal.write({ kind: "action_failed", action: action.id, problem: first });
  }
  return described;
}

/** A warehouse fault in the words of the run: which action of which object, and whether the plan still holds. */
export function faultOf(
  evaluation: Evaluation,
  stage: RunStage,
  action: Action | null,
  error: WarehouseError,
): AppError {
  const { plan, run, signal } = evaluation;
  const { fault } = error;
  if (fault.kind === "guard_failed")
    return new AppError(problem("plan_stale", { plan: plan.id, moved: fault.details }));
  if (fault.kind === "fence_lost")
    return new AppError(problem("fence_lost", { scope: plan.effects.target.environment }));
  if (fault.kind === "cancelled" && signal.aborted)
    return new AppError(problem("run_interrupted", { run: run.id, stage }));
  if (fault.kind === "unreachable" || fault.kind === "connection_lost") {
    return new AppError(problem("engine_unreachable", { target: plan.effects.target.database, reason: fault.message }));
  }
  return new AppError(
    problem("action_failed", {
      action: action === null ? "promotion" : action.kind.replaceAll("_", " "),
      target: action === null ? plan.effects.target.environment : `${action.target.schema}.${action.target.name}`,
      sqlstate: fault.sqlstate,
      message: fault.message,
    }),
  );
}
