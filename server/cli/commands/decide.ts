import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import { decidePlan } from "../../operations/decide-plan.ts";
import { findPlan } from "../../operations/find-plan.ts";
import { actingPerson } from "../acting-person.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE } from "../exit-code.ts";
import { openExisting, withServices } from "../local-services.ts";
import { typedDigest } from "../next-steps.ts";
import { projectPlaceIfAny } from "../project-place.ts";

export interface DecideInput {
  readonly plan: string;
  readonly verdict: "approve" | "reject";
  /** Null for a rejection: that one refuses the plan whatever is in it. */
  readonly digest: string | null;
  readonly reason: string | null;
}

/** Records one decision on a plan, for exactly the digest that was given. */
export async function runDecide(context: CommandContext, input: DecideInput): Promise<Outcome> {
  const services = await openExisting(context, projectPlaceIfAny(context.globals));
  if (services === null) throw new AppError(problem("plan_unknown", { plan: input.plan }));
  return withServices(services, async () => {
    const { plan } = await findPlan(services, input.plan);
    const decision = await decidePlan(services, {
      planId: plan.id,
      digest: input.digest ?? plan.digest,
      verdict: input.verdict,
      reason: input.reason,
      by: actingPerson(),
      how: "review",
    });
    const { environment } = plan.effects.target;
    const word = decision.verdict === "approve" ? "Approved" : "Rejected";
    context.terminal.print(
      `${word} plan ${plan.id} for ${environment} (digest ${typedDigest(plan.digest)}) as ${decision.by}.`,
    );
    if (decision.verdict === "approve") context.terminal.note(`Next: weir apply ${plan.id}`);
    return { exit: DONE, json: decision };
  });
}
