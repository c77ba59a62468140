import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { PlanRecord } from "../ports/state-store.ts";
import type { Services } from "./services.ts";

/** @throws AppError `plan_unknown` when no plan, or more than one, begins with `id`. */
export async function findPlan(services: Pick<Services, "state">, id: string): Promise<PlanRecord> {
  const record = await services.state.findPlan(id);
  if (record === null) throw new AppError(problem("plan_unknown", { plan: id }));
  return record;
}
