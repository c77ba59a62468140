import type { JobRecords } from "../../server/ports/state-store.ts";
import { type MemorySession, type MemoryTables, notify, stored } from "./in-memory-environments.ts";

export function jobRecords(tables: MemoryTables, session: MemorySession): JobRecords {
  return {
    enqueueJob: async (job) => {
      if (!tables.plans.has(job.planId)) throw new Error(`a job needs a stored plan, and ${job.planId} isn't one`);
      for (const { job: other } of tables.jobs.values()) {
        const open = other.state === "waiting" || other.state === "working";
        if (open && other.planId === job.planId) return { job: other, existing: true };
      }
      const added = { ...job, state: "waiting" as const, run: null, problems: [] };
      tables.jobs.set(job.id, { job: added, session: null });
      notify(tables);
      return { job: added, existing: false };
    },
    claimJob: async () => {
      for (const row of tables.jobs.values()) {
        const dead = row.job.state === "working" && row.session?.alive !== true;
        if (row.job.state !== "waiting" && !dead) continue;
        row.job = { ...row.job, state: "working" };
        row.session = session;
        return row.job;
      }
      return null;
    },
    finishJob: async (id, { state, problems, run }) => {
      const row = tables.jobs.get(id);
      if (row === undefined || row.job.state === "done" || row.job.state === "failed") return;
      row.job = stored({ ...row.job, state, problems, run });
      row.session = null;
      notify(tables);
    },
    readJob: async (id) => tables.jobs.get(id)?.job ?? null,
    waitForChange: (ms) =>
      new Promise((resolve) => {
        if (tables.missed) {
          tables.missed = false;
          return resolve();
        }
        const done = (): void => {
          clearTimeout(timer);
          tables.waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        tables.waiting.add(done);
      }),
  };
}
