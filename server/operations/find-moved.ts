import { baseRequest, movedFacts } from "../core/plan/base-facts.ts";
import type { Plan } from "../core/plan/plan.ts";
import type { CatalogReader } from "../ports/warehouse.ts";
import type { Services } from "./services.ts";

/** Reads again what the plan relied on. @returns keys of what is no longer as it was; empty when the plan still holds. */
export async function findMoved(
  services: Pick<Services, "state">,
  plan: Plan,
  warehouse: CatalogReader,
): Promise<readonly string[]> {
  const { target, base, promotion, changes } = plan.effects;
  const models = [...new Set([...promotion.map((each) => each.model), ...changes.map((change) => change.model)])];
  const state = await services.state.readStateFacts(target.project, target.environment, models);
  const { relations, closures } = baseRequest(base);
  const catalog = await warehouse.readCatalog({
    project: target.project,
    environment: target.environment,
    schemas: [],
    relations,
    closures,
  });
  return movedFacts(base, state, catalog);
}
