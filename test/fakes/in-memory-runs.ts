import { AppError } from "../../server/core/base/app-error.ts";
import { problem } from "../../server/core/base/problem.ts";
import type { Run, RunEvent, RunHappening } from "../../server/core/stage/run.ts";
import type { FinalisedRun, RunRecords } from "../../server/ports/state-store.ts";
import { type MemoryTables, notify, saveSnapshots, stored, targetKey, versionKey } from "./in-memory-environments.ts";
import { requireLease } from "./in-memory-leases.ts";
import { movePlan } from "./in-memory-plans.ts";

export function runRecords(tables: MemoryTables): RunRecords {
  return {
    startRun: async ({ id, plan, by, at }) => {
      if (tables.plans.get(plan.id)?.plan.digest !== plan.digest) return null;
      const note = { by, at, reason: null, moved: [] };
      if (!movePlan(tables, plan.id, ["approved"], "applying", note)) return null;
      const { project, environment } = plan.effects.target;
      const total = plan.effects.actions.length;
      const whose = { id, planId: plan.id, project, environment, startedBy: by, startedAt: at };
      tables.runs.set(id, { ...whose, state: "running", endedAt: null, stage: null, total });
      writeEvent(tables, id, at, { kind: "run_started", by, total, resumed: false });
      return readRun(tables, id);
    },
    readRun: async (id) => readRun(tables, id),
    listRuns: async ({ planId, environment, limit }) =>
      [...tables.runs.keys()]
        .reverse()
        .flatMap((id) => readRun(tables, id) ?? [])
        .filter((run) => (planId ?? run.planId) === run.planId && (environment ?? run.environment) === run.environment)
        .slice(0, limit),
    appendEvent: async (run, lease, at, event) => {
      requireLease(tables, lease);
      return writeEvent(tables, run, at, event);
    },
    readEvents: async (run, after, limit) =>
      (tables.events.get(run) ?? []).filter((each) => each.seq > after).slice(0, limit),
    requestStop: async (id, by, at) => {
      const run = tables.runs.get(id);
      if (run?.state !== "running") return false;
      tables.runs.set(id, { ...run, state: "stopping" });
      writeEvent(tables, id, at, { kind: "stop_requested", by });
      return true;
    },
    setRun: async (id, change) => {
      const run = tables.runs.get(id);
      if (run !== undefined) tables.runs.set(id, { ...run, ...change });
      notify(tables);
    },
    recordIntent: async (id, lease, promotion, digest) => {
      requireLease(tables, lease);
      const run = tables.runs.get(id);
      if (run === undefined) throw new AppError(problem("run_unknown", { run: id }));
      const { project, environment, planId } = run;
      tables.intents.set(targetKey(project, environment), { run: id, planId, promotion, digest });
    },
    finalise: async (outcome) => finalise(tables, outcome),
    recordVersions: async (_run, lease, versions, snapshots) => {
      requireLease(tables, lease);
      saveSnapshots(tables, snapshots);
      for (const each of versions) tables.versions.set(versionKey(each), stored(each));
    },
    readIntent: async (project, environment) => tables.intents.get(targetKey(project, environment)) ?? null,
  };
}

function readRun(tables: MemoryTables, id: string): Run | null {
  const run = tables.runs.get(id);
  if (run === undefined) return null;
  const events = tables.events.get(id) ?? [];
  const done = new Set(events.flatMap(({ event }) => (event.kind === "action_done" ? [event.action] : [])));
  return { ...run, done: done.size };
}

function writeEvent(tables: MemoryTables, run: string, at: string, event: RunHappening): RunEvent {
  if (!tables.runs.has(run)) throw new AppError(problem("run_unknown", { run }));
  const events = tables.events.get(run) ?? [];
  const written = stored({ run, seq: events.length + 1, at, event });
  tables.events.set(run, [...events, written]);
  notify(tables);
  return written;
}

function finalise(tables: MemoryTables, outcome: FinalisedRun): readonly RunEvent[] {
  const { run, lease, plan, environment, versions, at } = outcome;
  requireLease(tables, lease);
  const key = targetKey(environment.project, environment.name);
  const found = tables.environments.get(key);
  if (found?.promotion === environment.promotion && found.planId === environment.planId) return [];
  if ((found?.promotion ?? 0) !== environment.promotion - 1) {
    const fields = { environment: environment.name, found: found?.promotion ?? 0, next: environment.promotion };
    throw new AppError(problem("promotion_conflict", fields));
  }
  saveSnapshots(tables, plan.effects.snapshots);
  tables.environments.set(key, stored(environment));
  for (const each of versions) tables.versions.set(versionKey(each), stored(each));
  tables.intents.delete(key);
  const state = tables.plans.get(plan.id)?.state;
  const note = { by: run, at, reason: null, moved: [] };
  if (state !== undefined) movePlan(tables, plan.id, [state], "applied", note);
  const events = outcome.events.map((event) => writeEvent(tables, run, at, event));
  const ended = tables.runs.get(run);
  if (ended !== undefined) tables.runs.set(run, { ...ended, state: "applied", endedAt: at });
  return events;
}
