import { type Environment, PROD, type PromotedModel } from "../../server/core/environment/environment.ts";

/** An environment that was never promoted, unless the rest says otherwise. */
export function anEnvironment(given: Partial<Environment> = {}): Environment {
  return { project: "shop", name: PROD, promotion: 0, planId: null, promotedAt: null, models: [], ...given };
}

export function aPromotedModel(given: Partial<PromotedModel> & { readonly model: string }): PromotedModel {
  return {
    snapshot: "0".repeat(64),
    version: "v1",
    relation: { schema: "sqlmesh__shop", name: `${given.model.replace(".", "__")}__v1` },
    view: { schema: "shop", name: given.model.split(".").at(-1) ?? given.model },
    columns: [],
    served: (given.columns ?? []).map((column) => column.name),
    ...given,
  };
}
