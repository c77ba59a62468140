import type { Place } from "../base/problem.ts";
import type { DeclaredColumn, Model } from "./model.ts";
import type { ModelKey, ModelName } from "./model-name.ts";

/** One entry of external_models.yaml: a relation that somebody else owns, with the columns it is said to have. */
export interface ExternalModel {
  readonly key: ModelKey;
  readonly name: ModelName;
  readonly place: Place;
  readonly columns: readonly DeclaredColumn[] | null;
  readonly description: string | null;
  readonly start: string | null;
  /** Counts for one gateway only, before an entry without one. */
  readonly gateway: string | null;
}

export function toModel(external: ExternalModel): Model {
  return {
    key: external.key,
    name: external.name,
    kind: { kind: "external" },
    dialect: "postgres",
    path: external.place.path,
    text: "",
    query: null,
    preStatements: [],
    postStatements: [],
    columns: external.columns,
    partitionedBy: [],
    metadata: {
      owner: null,
      description: external.description,
      columnDescriptions: {},
      tags: [],
      cron: null,
      cronTz: null,
      start: external.start,
      end: null,
      stamp: null,
      other: {},
    },
    physicalProperties: {},
    virtualProperties: {},
    references: [],
  };
}
