import type { StateStore } from "../../server/ports/state-store.ts";
import { environmentRecords, type MemoryTables, newTables } from "./in-memory-environments.ts";
import { jobRecords } from "./in-memory-jobs.ts";
import { leaseRecords } from "./in-memory-leases.ts";
import { planRecords } from "./in-memory-plans.ts";
import { runRecords } from "./in-memory-runs.ts";

/** A state in memory that several stores open, as several processes open one database. */
export interface InMemoryState {
  readonly open: () => InMemoryStateStore;
}

export interface InMemoryStateStore extends StateStore {
  /** As if its process died: what it held is free, without its having said so. */
  readonly crash: () => void;
}

export function createInMemoryState(): InMemoryState {
  const tables = newTables();
  return { open: () => openStore(tables) };
}

function openStore(tables: MemoryTables): InMemoryStateStore {
  const session = { alive: true };
  const crash = (): void => {
    session.alive = false;
  };
  return {
    migrate: async () => ({ applied: 0 }),
    close: async () => crash(),
    crash,
    ...environmentRecords(tables),
    ...planRecords(tables),
    ...runRecords(tables),
    ...leaseRecords(tables, session),
    ...jobRecords(tables, session),
  };
}
