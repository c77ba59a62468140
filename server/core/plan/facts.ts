import type { Hash } from "../base/hash.ts";
import type { Captures } from "../catalog/captured.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Environment, KnownVersion } from "../environment/environment.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { Project } from "../model/project.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { PlanOptions } from "./plan-options.ts";

/**
 * All that a plan is made from. The shell reads it in two steps: project and state first, which say what changed
 * and which names are touched; then shapes and the catalog closure for exactly those names.
 */
export interface Facts {
  readonly project: Project;
  /** Of every model in the project, by key. */
  readonly snapshots: ReadonlyMap<ModelKey, Snapshot>;
  readonly state: StateFacts;
  readonly shapes: ReadonlyMap<ModelKey, Shape>;
  readonly catalog: Catalog;
  /** Of everything that may have to be dropped and made again (`captureReads`); empty where nothing has to. */
  readonly captures: Captures;
  readonly request: PlanRequest;
}

export interface PlanRequest {
  readonly environment: string;
  readonly gateway: string;
  readonly engine: "postgres";
  readonly options: PlanOptions;
  /** ISO 8601, UTC. */
  readonly now: string;
  readonly author: string;
  readonly tool: string;
  /** Where the project was loaded from: a later plan of the same author, environment and folder supersedes this one. */
  readonly folder: string;
  /** Rises when a plan equal to a closed one is made again, so that no digest recurs. */
  readonly submission: number;
}

/** What state says about one environment and the versions its models have ever had. */
export interface StateFacts {
  readonly environment: Environment;
  /** Null while the environment is prod itself, or prod was never promoted. */
  readonly prod: Environment | null;
  /** Every environment of any project but those two, for names, borrowed versions and versions in use. */
  readonly others: readonly Environment[];
  /** Snapshots that the environment and prod are at, by id. */
  readonly snapshots: ReadonlyMap<Hash, Snapshot>;
  readonly versions: readonly KnownVersion[];
}

/** Output columns of a model's query over its parents' new columns; or why they couldn't be found out. */
export type Shape =
  | { readonly ok: true; readonly columns: readonly OutputColumn[] }
  | {
      readonly ok: false;
      readonly reason: "model";
      readonly message: string;
      readonly sqlstate: string;
      readonly offset: number | null;
    }
  | { readonly ok: false; readonly reason: "missing"; readonly what: string }
  | { readonly ok: false; readonly reason: "parent"; readonly model: ModelKey };
