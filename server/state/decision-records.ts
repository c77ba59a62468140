import { eq } from "drizzle-orm";
import { AppError } from "../core/base/app-error.ts";
import type { Hash } from "../core/base/hash.ts";
import { problem } from "../core/base/problem.ts";
import type { Decision } from "../core/review/review.ts";
import type { Session } from "./database.ts";
import { movePlan } from "./plan-records.ts";
import { fromStoredList, toStored } from "./stored-json.ts";
import { decisions, plans } from "./tables.ts";

/**
 * The lock on the plan's row lets decisions on it in one by one, and the first closes the door for the rest.
 * @throws AppError `plan_unknown`, `digest_differs`, or `plan_not_open` for a plan that went another way than by decision.
 */
export async function decide(session: Session, decision: Decision): Promise<{ taken: boolean; standing: Decision }> {
  const { planId, digest, verdict, by, at, reason, how } = decision;
  const [plan] = await session
    .select({ digest: plans.digest, state: plans.state, stateBy: plans.stateBy, stateAt: plans.stateAt })
    .from(plans)
    .where(eq(plans.id, planId))
    .for("update");
  if (plan === undefined) throw new AppError(problem("plan_unknown", { plan: planId }));
  if (plan.digest !== digest)
    throw new AppError(problem("digest_differs", { plan: planId, given: digest, stored: plan.digest }));
  if (plan.state === "open") {
    const row = { planId, digest, units: toStored(decision.units), verdict, by, at, reason, how };
    const written = await session
      .insert(decisions)
      .values(row)
      .onConflictDoNothing()
      .returning({ planId: decisions.planId });
    if (written.length === 1) {
      await movePlan(session, planId, ["open"], verdict === "approve" ? "approved" : "rejected", {
        by,
        at,
        reason,
        moved: [],
      });
      return { taken: true, standing: decision };
    }
  }
  const [standing] = await readDecisions(session, planId);
  if (standing === undefined) {
    throw new AppError(
      problem("plan_not_open", { plan: planId, state: plan.state, by: plan.stateBy, at: plan.stateAt }),
    );
  }
  return { taken: false, standing };
}

export async function readDecisions(session: Session, planId: string): Promise<readonly Decision[]> {
  const rows = await session.select().from(decisions).where(eq(decisions.planId, planId));
  return rows.map((row) => ({ ...row, units: fromStoredList<Hash>(`The decision on plan ${planId}`, row.units) }));
}
