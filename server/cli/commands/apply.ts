import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import { showPlan } from "../../operations/show-plan.ts";
import { carryOut } from "../carry-out.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { openExisting, withServices } from "../local-services.ts";
import { projectPlace } from "../project-place.ts";

export interface ApplyInput {
  readonly plan: string;
  readonly resume: boolean;
}

/** Whatever else a plan may be, applying refuses it. */
const startable = new Set(["approved", "applying", "failed"]);

/** Carries out an approved plan, or goes on with a run of it. Of the project only its configuration is read. */
export async function runApply(context: CommandContext, input: ApplyInput): Promise<Outcome> {
  const place = projectPlace(context.globals);
  const services = await openExisting(context, place);
  if (services === null) throw new AppError(problem("plan_unknown", { plan: input.plan }));
  return withServices(services, async () => {
    const { view } = await showPlan(services, input.plan);
    if (startable.has(view.state))
      context.terminal.note(`Applying plan ${view.id} to ${view.environment}. ${view.summary.line}`);
    return carryOut(context, services, { view, place, resume: input.resume });
  });
}
