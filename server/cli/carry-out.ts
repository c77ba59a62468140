import type { Problem } from "../core/base/problem.ts";
import { problemSentence } from "../core/base/problem-sentence.ts";
import type { PlanView } from "../core/review/plan-view.ts";
import type { Run } from "../core/stage/run.ts";
import { type ApplyReport, applyPlan } from "../operations/apply-plan.ts";
import type { ProjectPlace } from "../operations/services.ts";
import { actingPerson } from "./acting-person.ts";
import type { CommandContext, Outcome } from "./command.ts";
import { DONE, exitOfFailure } from "./exit-code.ts";
import type { OpenServices } from "./local-services.ts";
import { stageText } from "./print-actions.ts";
import { failureJson, printProblems, problemsOf } from "./print-problems.ts";
import { openRunProgress, type RunTally } from "./run-progress.ts";
import type { Terminal } from "./terminal.ts";

export interface CarryOutRequest {
  readonly view: PlanView;
  readonly place: ProjectPlace;
  readonly resume: boolean;
}

/** How long a promotion keeps trying for its locks (design: `promotion_patience`). */
const PROMOTION_PATIENCE_MS = 600_000;

/** Names listed after a stop; all of them with -v. */
const LISTED = 20;

/** Applies an approved plan with progress, and says after any end what is done, what isn't, and how to go on. */
export async function carryOut(
  context: CommandContext,
  services: OpenServices,
  request: CarryOutRequest,
): Promise<Outcome> {
  const { terminal, stop } = context;
  const { view, place, resume } = request;
  const progress = openRunProgress(terminal, view.actions, () => Date.now());
  const guard = stop.guard("Stopping at the next safe point. Once more ends it at once.");
  let report: ApplyReport;
  try {
    report = await applyPlan(services, {
      planId: view.id,
      place,
      by: actingPerson(),
      resume,
      onEvent: progress.show,
      signal: guard.signal,
      promotionPatienceMs: PROMOTION_PATIENCE_MS,
    });
  } catch (error) {
    progress.close();
    return describeEnd(context, view, progress.tally(), error);
  } finally {
    progress.close();
    guard.release();
  }
  terminal.print(terminal.paint("good", report.line));
  return { exit: DONE, json: { ...view, state: "applied", run: runJson(report.run), line: report.line } };
}

function describeEnd(context: CommandContext, view: PlanView, tally: RunTally, error: unknown): Outcome {
  const { terminal, stop } = context;
  const problems = problemsOf(error);
  const exit = exitOfFailure(problems, stop.received());
  const stopped = problems.every((each) => each.code === "run_interrupted");
  const total = view.actions.length;
  if (terminal.json) {
    const { done, stage, promoted } = tally;
    const run = { stage, done: done.size, total, promoted };
    return { exit, json: { ...failureJson(problems, exit), plan: { id: view.id, digest: view.digest }, run } };
  }
  terminal.note(
    stopped ? problems.map(problemSentence).join("\n") : printProblems(problems, terminal.notePaint, terminal.width),
  );
  if (tally.stage !== null || tally.done.size > 0) terminal.note(tallyText(terminal, view, tally, problems));
  return { exit, json: null };
}

function tallyText(terminal: Terminal, view: PlanView, tally: RunTally, problems: readonly Problem[]): string {
  const { actions, environment, id } = view;
  const done = actions.filter((action) => tally.done.has(action.id)).map((action) => action.title);
  const left = actions.filter((action) => !tally.done.has(action.id)).map((action) => action.title);
  const where = tally.stage === null ? "" : ` It ended in stage ${stageText(tally.stage)}.`;
  const serving = tally.promoted
    ? `${environment} serves the new versions already.`
    : `${environment} serves what it served before.`;
  const stale = problems.some((each) => each.code === "plan_stale");
  return [
    `${done.length} of ${actions.length} actions are done.${where} ${serving}`,
    ...listed(terminal, "done    ", done),
    ...listed(terminal, "not done", left),
    stale ? `Next: weir plan ${environment}` : `Next: weir apply ${id} --resume`,
  ].join("\n");
}

function listed(terminal: Terminal, label: string, titles: readonly string[]): readonly string[] {
  const shown = terminal.verbose ? titles : titles.slice(0, LISTED);
  const rest = titles.length - shown.length;
  const lines = shown.map((title) => `  ${terminal.notePaint("quiet", label)}  ${title}`);
  return rest === 0 ? lines : [...lines, `  ${label}  ${rest} others; -v lists them all`];
}

function runJson({ id, state, startedBy, startedAt, endedAt, done, total }: Run): object {
  return { id, state, startedBy, startedAt, endedAt, done, total };
}
