import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import { durationText } from "../../core/review/applied-line.ts";
import { findPlan } from "../../operations/find-plan.ts";
import { type ShownPlan, showPlan } from "../../operations/show-plan.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE } from "../exit-code.ts";
import { openExisting, withServices } from "../local-services.ts";
import type { Paint } from "../paint.ts";
import { printPlan } from "../print-plan.ts";
import { printPlanMarkdown } from "../print-plan-markdown.ts";
import { projectPlaceIfAny } from "../project-place.ts";
import type { PlanFormat } from "./plan.ts";

export interface ShowInput {
  readonly plan: string;
  readonly raw: boolean;
  readonly format: PlanFormat;
  readonly explain: boolean;
}

/** A stored plan with its decisions and runs; `--raw` the stored value itself. Exit 0 whatever it shows. */
export async function runShow(context: CommandContext, input: ShowInput): Promise<Outcome> {
  const services = await openExisting(context, projectPlaceIfAny(context.globals));
  if (services === null) throw new AppError(problem("plan_unknown", { plan: input.plan }));
  return withServices(services, async () => {
    const { terminal } = context;
    if (input.raw) {
      const { format, effects, context: about } = (await findPlan(services, input.plan)).plan;
      const stored = { format, effects, context: about };
      terminal.print(JSON.stringify(stored, null, 2));
      return { exit: DONE, json: stored };
    }
    const shown = await showPlan(services, input.plan);
    const { paint, width, verbose } = terminal;
    if (input.format === "markdown") {
      terminal.print(printPlanMarkdown(shown.view));
    } else {
      terminal.print(printPlan(shown.view, { paint, width, explain: input.explain, verbose, steps: true }));
      const past = printHistory(shown, paint);
      if (past !== "") terminal.print(`\n${past}`);
    }
    return { exit: DONE, json: shown.view };
  });
}

function printHistory({ record, decisions, runs }: ShownPlan, paint: Paint): string {
  const lines = [
    ...decisions.map(({ verdict, by, at, reason, how }) => {
      const word = verdict === "approve" ? "approved" : "rejected";
      const why = reason === null ? "" : `: ${reason}`;
      return `  ${at}  ${word} by ${by}${how === "auto-apply" ? " (auto-apply)" : ""}${why}`;
    }),
    ...runs.map(({ id, state, startedBy, startedAt, endedAt, done, total }) => {
      const took = endedAt === null ? "" : `, ${durationText(Date.parse(endedAt) - Date.parse(startedAt))}`;
      return `  ${startedAt}  run ${id} by ${startedBy}: ${state}, ${done} of ${total} actions${took}`;
    }),
    ...record.moved.map((each) => `  moved since: ${each}`),
    ...(record.supersededBy === null ? [] : [`  superseded by plan ${record.supersededBy}`]),
  ];
  return lines.length === 0 ? "" : `${paint("strong", "What happened")}\n${lines.join("\n")}`;
}
