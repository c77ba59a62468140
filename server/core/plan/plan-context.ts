import { compareText, relationKey } from "../base/relation-name.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import { modelKey } from "../model/model-name.ts";
import { physicalNameIsCut } from "../snapshot/physical-name.ts";
import type { PlanContext } from "./plan.ts";
import type { Planning } from "./planning.ts";
import { unknownOptions } from "./virtual-change.ts";

/** What people are told beside the effects. Nothing here steers anything, and none of it is digested. */
export function planContext(planning: Planning, unmatched: readonly string[]): PlanContext {
  const { request, catalog } = planning.facts;
  const { now, tool, author, folder } = request;
  return {
    now,
    tool,
    author,
    folder,
    warnings: [
      ...warnings(planning),
      ...unmatched.map((text) => `--accept ${text} matches nothing that this plan would lose.`),
    ],
    lineage: lineage(planning),
    estimates: estimates(catalog),
  };
}

function warnings(planning: Planning): readonly string[] {
  const { project } = planning.facts;
  const cut = planning.decisions.flatMap((decision) => {
    const model = planning.modelOf.get(decision.model);
    const { next } = decision;
    if (model === undefined || next?.version == null || next.relation === null || !decision.create) return [];
    if (!physicalNameIsCut(model.name, next.version, project.naming)) return [];
    return [`The physical name of ${model.key} was too long and is shortened to ${relationKey(next.relation)}.`];
  });
  const ignored = project.models.flatMap((model) => [
    ...unknownOptions(model).map(
      (key) => `${model.key}: the virtual property ${key} isn't one of Postgres' view options and is ignored.`,
    ),
    ...["partition_by", "statistics"]
      .filter((key) => key in model.physicalProperties)
      .map((key) => `${model.key}: the physical property ${key} isn't supported yet and is ignored.`),
  ]);
  return [...project.warnings, ...cut, ...ignored, ...previews(planning)];
}

/** What a development environment only tries out is refused in prod unless it is allowed there. */
function previews(planning: Planning): readonly string[] {
  return planning.decisions.flatMap((decision) => {
    const { removed, retyped } = decision.columns;
    if (decision.next?.preview !== true || decision.compared === null || removed.length + retyped.length === 0)
      return [];
    const columns = [...removed, ...retyped].map((column) => column.name).sort(compareText);
    return [
      `${decision.model}: in prod this change drops or retypes ${columns.join(", ")} of a table whose history is kept. A plan of prod needs --allow-destructive-model ${decision.model}.`,
    ];
  });
}

function lineage(planning: Planning): PlanContext["lineage"] {
  const { project } = planning.facts;
  return project.models.map((model) => ({
    model: model.key,
    kind: kindCapabilities[model.kind.kind].label,
    reads: project.dag.parents.get(model.key) ?? [],
    sources: [
      ...new Set(model.references.filter((each) => each.model === null).map((each) => modelKey(each.relation))),
    ].sort(compareText),
  }));
}

function estimates(catalog: Planning["facts"]["catalog"]): PlanContext["estimates"] {
  const known = catalog.relations.filter((relation) => relation.estimatedRows !== null || relation.bytes !== null);
  return Object.fromEntries(
    known.map((relation) => [relationKey(relation.name), { rows: relation.estimatedRows, bytes: relation.bytes }]),
  );
}
