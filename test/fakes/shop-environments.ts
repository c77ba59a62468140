import type { Environment, PromotedModel } from "../../server/core/environment/environment.ts";
import type { PlanView } from "../../server/core/review/plan-view.ts";
import type { InspectedEnvironment } from "../../server/operations/inspect-environment.ts";

const version = (index: number) => (0x1f2e3d4c + index * 0x11fd6a2).toString(16).slice(0, 8);

function bare(key: string): { readonly schema: string; readonly name: string } {
  const found = /^("[^"]*"|[^.]*)\.(.*)$/.exec(key);
  const unquoted = (text: string) => text.replace(/^"(.*)"$/, "$1").replaceAll('""', '"');
  return { schema: unquoted(found?.[1] ?? ""), name: unquoted(found?.[2] ?? key) };
}

export function environmentOf(view: PlanView, name: string, promotion: number, promotedAt: string): Environment {
  const suffix = name === "prod" ? "" : `__${name}`;
  const models = view.graph.nodes
    .filter((node) => node.managed && node.mark !== "drop")
    .map((node, index): PromotedModel => {
      const { schema, name: model } = bare(node.id);
      return {
        model: node.id as PromotedModel["model"],
        snapshot: `s${index}`,
        version: version(index),
        relation: { schema: `sqlmesh__${schema}`, name: `${schema}__${model}__${version(index)}` },
        view: { schema: `${schema}${suffix}`, name: model },
        columns: [
          { name: "id", type: "integer", collation: null },
          { name: "__is_deleted", type: "boolean", collation: null },
          { name: "name", type: "text", collation: null },
          { name: "net_amount", type: "numeric(12,2)", collation: null },
        ],
        served: ["id", "name", "__is_deleted", "net_amount"],
      };
    });
  return { project: "shop", name, promotion, planId: view.id, promotedAt, models };
}

export function inspected(environment: Environment, view: PlanView): InspectedEnvironment {
  return {
    environment,
    objects: environment.models.map((promoted, index) => ({
      promoted,
      kind: (view.graph.nodes.find((node) => node.id === promoted.model)?.kind ?? "VIEW").toLowerCase(),
      description: index % 2 === 0 ? "Items as the shop sells them, one row an item" : null,
      owner: "data_platform",
      found: index === 9 ? "missing" : "present",
      missing: index === 9 && promoted.view !== null ? [promoted.view] : [],
      estimatedRows: promoted.model.startsWith("mart") || index < 3 ? 1_240 * (index + 1) ** 2 : null,
      bytes: promoted.model.startsWith("mart") || index < 3 ? 48_000 * (index + 1) ** 3 : null,
      dependents: view.dependents
        .filter((each) => each.of.some((of) => `${of.object.schema}.${of.object.name}` === promoted.model))
        .map((each) => ({
          object: each.object,
          owner: each.owner,
          treatment: "unit" as const,
          blockedBecause: null,
          depth: 1,
          uses: each.of.map((of) => ({ object: of.object, columns: of.columns })),
          fingerprint: null,
        })),
    })),
  };
}
