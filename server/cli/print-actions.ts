import type { ActionView } from "../core/review/plan-view.ts";
import type { Paint } from "./paint.ts";
import { wrapText } from "./wrap-text.ts";

export interface ActionPrintOptions {
  readonly paint: Paint;
  readonly width: number;
  readonly verbose: boolean;
}

/** Every action in its order: what, in which stage, why, what it locks, whether it can be undone. */
export function printActions(actions: readonly ActionView[], options: ActionPrintOptions): string {
  const { paint } = options;
  const lines: string[] = [];
  let stage: string | null = null;
  for (const action of actions) {
    if (action.stage !== stage) lines.push(`  ${paint("quiet", `── ${stageText(action.stage)}`)}`);
    stage = action.stage;
    lines.push(printAction(action, options));
  }
  return lines.join("\n");
}

export function stageText(stage: string): string {
  return stage.replaceAll("_", " ");
}

function printAction(action: ActionView, { paint, width, verbose }: ActionPrintOptions): string {
  const facts = [
    action.because === null || action.because === action.model ? null : `because of ${action.because}`,
    action.strategy === null ? null : `strategy ${action.strategy}`,
    ...action.whyNotLower.map((each) => `not milder: ${each}`),
    lockText(action),
    action.downtime === "none" ? null : `downtime ${action.downtime}`,
    action.reversible ? null : "can't be undone",
    ...action.hazards.map((each) => `hazard ${each}`),
  ].filter((each) => each !== null);
  const lines = [`  ${action.id}  ${action.title}`];
  if (facts.length > 0) lines.push(`       ${paint("quiet", wrapText(facts.join("; "), width, 7))}`);
  if (verbose) {
    for (const { sql } of action.statements) lines.push(sql.replaceAll(/^/gm, "       "));
  }
  return lines.join("\n");
}

function lockText({ statements }: ActionView): string | null {
  const locks = [...new Set(statements.map((each) => each.lock).filter((each) => each !== null))];
  return locks.length === 0 ? null : `takes ${locks.join(", ")}`;
}
