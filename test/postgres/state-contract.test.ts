import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import type { StateStore } from "../../server/ports/state-store.ts";
import { openStateStore } from "../../server/state/postgres-state-store.ts";
import { describeStateStore } from "../contract/state-store-contract.ts";
import { createInMemoryState, type InMemoryStateStore } from "../fakes/in-memory-state-store.ts";
import { createDatabase } from "./database.ts";

const database = await createDatabase("state");

describe("in memory", () => {
  let state = createInMemoryState();
  describeStateStore({
    reset: async () => {
      state = createInMemoryState();
    },
    open: async () => state.open(),
    crash: async (store) => (store as InMemoryStateStore).crash(),
  });
});

describe("on Postgres", () => {
  const admin = new pg.Client(database);
  const names = new Map<StateStore, string>();
  let opened = 0;

  const open = async (): Promise<StateStore> => {
    opened += 1;
    const applicationName = `state test ${opened}`;
    const store = await openStateStore({ connection: database.url, applicationName });
    names.set(store, applicationName);
    return store;
  };

  beforeAll(async () => {
    await admin.connect();
    const store = await open();
    await store.migrate();
    await store.close();
  });
  afterAll(() => admin.end());

  describeStateStore({
    reset: async () => {
      const { rows } = await admin.query<{ tables: string }>(
        `SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS tables FROM pg_tables
          WHERE schemaname = 'weir' AND tablename NOT IN ('migrations', 'state_format')`,
      );
      await admin.query(`TRUNCATE ${rows[0]?.tables} RESTART IDENTITY`);
    },
    open,
    // Waits until the server has let go, as the death of a process isn't noticed within the same moment either.
    crash: async (store) => {
      await admin.query("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1", [
        names.get(store),
      ]);
    },
  });
});
