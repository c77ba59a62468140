import type { Hash } from "../../server/core/base/hash.ts";
import { compareText } from "../../server/core/base/relation-name.ts";
import { type Environment, type KnownVersion, PROD } from "../../server/core/environment/environment.ts";
import type { ModelKey } from "../../server/core/model/model-name.ts";
import type { Decision } from "../../server/core/review/review.ts";
import type { Snapshot } from "../../server/core/snapshot/snapshot.ts";
import type { Run, RunEvent } from "../../server/core/stage/run.ts";
import type { SeedRows } from "../../server/ports/project-source.ts";
import type { EnvironmentRecords, Intent, Job, PlanRecord } from "../../server/ports/state-store.ts";
import { toStored } from "../../server/state/stored-json.ts";
import { versionUsage } from "../../server/state/version-usage.ts";

export interface MemorySession {
  alive: boolean;
}

export interface MemoryLease {
  readonly epoch: number;
  readonly run: string;
  readonly holder: string;
  readonly since: string;
  readonly session: MemorySession;
  ended: boolean;
}

/** What the tables of the real one hold. Maps keep the order of insertion, which is the order of age. */
export interface MemoryTables {
  readonly environments: Map<string, Environment>;
  readonly snapshots: Map<Hash, Snapshot>;
  readonly versions: Map<string, KnownVersion>;
  readonly artefacts: Map<Hash, SeedRows>;
  readonly plans: Map<string, PlanRecord>;
  readonly submissions: Map<string, number>;
  readonly decisions: Map<string, Decision>;
  readonly runs: Map<string, Omit<Run, "done">>;
  readonly events: Map<string, RunEvent[]>;
  readonly intents: Map<string, Intent>;
  readonly leases: MemoryLease[];
  /** From scope to the epoch that had it last. */
  readonly scopes: Map<string, number>;
  readonly jobs: Map<string, { job: Job; session: MemorySession | null }>;
  readonly waiting: Set<() => void>;
  /** A change came while nobody waited. */
  missed: boolean;
}

export function newTables(): MemoryTables {
  return {
    environments: new Map(),
    snapshots: new Map(),
    versions: new Map(),
    artefacts: new Map(),
    plans: new Map(),
    submissions: new Map(),
    decisions: new Map(),
    runs: new Map(),
    events: new Map(),
    intents: new Map(),
    leases: [],
    scopes: new Map(),
    jobs: new Map(),
    waiting: new Set(),
    missed: false,
  };
}

/** A copy as a database would keep it: nothing shared with the caller, and only what JSON can say. */
export function stored<T>(value: T): T {
  return JSON.parse(toStored(value)) as T;
}

export function targetKey(project: string, environment: string): string {
  return JSON.stringify([project, environment]);
}

export function notify(tables: MemoryTables): void {
  tables.missed = tables.waiting.size === 0;
  const all = [...tables.waiting];
  tables.waiting.clear();
  for (const wake of all) wake();
}

export function saveSnapshots(tables: MemoryTables, list: readonly Snapshot[]): void {
  for (const each of list) if (!tables.snapshots.has(each.id)) tables.snapshots.set(each.id, stored(each));
}

export function versionKey(version: KnownVersion): string {
  return JSON.stringify([version.project, version.model, version.lookupKey, version.version]);
}

export function environmentRecords(tables: MemoryTables): EnvironmentRecords {
  const all = (): readonly Environment[] => [...tables.environments.values()];
  const readSnapshots = (ids: readonly Hash[]): ReadonlyMap<Hash, Snapshot> =>
    new Map(
      ids.flatMap((id) => {
        const found = tables.snapshots.get(id);
        return found === undefined ? [] : [[id, found] as const];
      }),
    );
  const readVersions = (project: string, models: readonly ModelKey[]): readonly KnownVersion[] => {
    const usage = versionUsage(all().filter((each) => each.project === project));
    return [...tables.versions.values()]
      .filter((each) => each.project === project && models.includes(each.model))
      .map((each) => ({ ...each, ...usage(each.model, each.version) }));
  };
  return {
    readStateFacts: async (project, name, models) => {
      const empty = { project, name, promotion: 0, planId: null, promotedAt: null, models: [] };
      const environment = tables.environments.get(targetKey(project, name)) ?? empty;
      const prod = name === PROD ? null : (tables.environments.get(targetKey(project, PROD)) ?? null);
      const promoted = [...environment.models, ...(prod?.models ?? [])];
      return {
        environment,
        prod,
        others: all()
          .filter((each) => each !== environment && each !== prod)
          .sort(byProjectAndName),
        snapshots: readSnapshots(promoted.map((each) => each.snapshot)),
        versions: readVersions(project, [...models, ...promoted.map((each) => each.model)]),
      };
    },
    listEnvironments: async (project) =>
      all()
        .filter((each) => project === null || each.project === project)
        .sort(byProjectAndName),
    readSnapshots: async (ids) => readSnapshots(ids),
    readVersions: async (project, models) => readVersions(project, models),
    saveArtefact: async (hash, rows) => {
      if (!tables.artefacts.has(hash)) tables.artefacts.set(hash, stored(rows));
    },
    readArtefact: async (hash) => tables.artefacts.get(hash) ?? null,
  };
}

function byProjectAndName(a: Environment, b: Environment): number {
  return compareText(a.project, b.project) || compareText(a.name, b.name);
}
