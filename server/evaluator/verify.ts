import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { relationKey } from "../core/base/relation-name.ts";
import type { CatalogRelation } from "../core/catalog/catalog.ts";
import type { PromotedModel } from "../core/environment/environment.ts";
import { askAgainIfLost } from "./ask-again-if-lost.ts";
import type { Evaluation } from "./evaluation.ts";

/** Reads back what the environment now serves. A green run with a missing view would be the worst of outcomes. */
export async function verify(evaluation: Evaluation): Promise<void> {
  const { plan, warehouse, journal } = evaluation;
  const { target, promotion } = plan.effects;
  const relations = promotion.flatMap((each) => [each.view, each.relation].filter((name) => name !== null));
  const request = { project: target.project, environment: target.environment, schemas: [], relations, closures: [] };
  const catalog = await askAgainIfLost(() => warehouse.readCatalog(request));
  const found = new Map(catalog.relations.map((each) => [relationKey(each.name), each]));
  const differences = promotion.flatMap((each) => compare(each, found));
  if (differences.length > 0) throw new AppError(problem("verify_failed", { differences }));
  await journal.write({ kind: "verified", relations: relations.length });
}

function compare(promoted: PromotedModel, found: ReadonlyMap<string, CatalogRelation>): readonly string[] {
  const differences: string[] = [];
  for (const name of [promoted.relation, promoted.view]) {
    if (name !== null && !found.has(relationKey(name))) differences.push(`${relationKey(name)} is missing`);
  }
  const view = promoted.view === null ? undefined : found.get(relationKey(promoted.view));
  if (view !== undefined) {
    const served = view.columns.map((column) => column.name);
    if (served.join("\n") !== promoted.served.join("\n")) {
      differences.push(
        `${relationKey(view.name)} serves ${served.join(", ")} instead of ${promoted.served.join(", ")}`,
      );
    }
  }
  return differences;
}
