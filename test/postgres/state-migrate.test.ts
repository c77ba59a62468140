import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StateStore } from "../../server/ports/state-store.ts";
import { openStateStore, type StateStoreOptions } from "../../server/state/postgres-state-store.ts";
import { problemCodes } from "../contract/problem-code.ts";
import { planOf } from "../contract/state-values.ts";
import { createDatabase } from "./database.ts";

const database = await createDatabase("migrate");
const admin = new pg.Client(database);
const temporary: string[] = [];
const migrations = fileURLToPath(new URL("../../drizzle", import.meta.url));

beforeAll(() => admin.connect());
afterAll(async () => {
  await admin.end();
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
});

async function withStore<T>(
  options: Omit<StateStoreOptions, "connection">,
  work: (store: StateStore) => Promise<T>,
): Promise<T> {
  const store = await openStateStore({ connection: database.url, ...options });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The migrations of today and one more, as a later program would bring. */
function laterMigrations(statement: string): string {
  const folder = mkdtempSync(join(tmpdir(), "weir-later-"));
  temporary.push(folder);
  cpSync(migrations, folder, { recursive: true });
  const file = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: { idx: number; when: number; tag: string }[] };
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error("no migrations");
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1000, tag: "9999_later" });
  writeFileSync(file, JSON.stringify(journal));
  writeFileSync(join(folder, "9999_later.sql"), statement);
  return folder;
}

async function columnsOf(schema: string, table: string): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position`,
    [schema, table],
  );
  return rows.map((row) => row.name);
}

test("of several programs that start together one sets up the state, and all can work", async () => {
  const schema = "start";
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStateStore({ connection: database.url, schema })));
  const applied = await Promise.all(stores.map((store) => store.migrate()));
  expect(applied.filter((each) => each.applied > 0)).toHaveLength(1);
  for (const store of stores) expect(await store.nextSubmission("shop", "prod")).toBeGreaterThan(0);
  await Promise.all(stores.map((store) => store.close()));
  expect(await withStore({ schema }, (store) => store.migrate())).toEqual({ applied: 0 });
});

test("any schema name will do, and nothing is made outside it", async () => {
  for (const schema of ['We"ir, "x" \\ é', "public", "select"]) {
    await withStore({ schema }, async (store) => {
      expect((await store.migrate()).applied).toBeGreaterThan(0);
      const plan = planOf();
      await store.savePlan(plan);
      expect((await store.findPlan(plan.id))?.plan).toEqual(plan);
    });
    expect(await columnsOf(schema, "migrations")).toEqual(["id", "hash", "created_at"]);
  }
  const { rows } = await admin.query<{ schema: string }>(
    "SELECT DISTINCT schemaname AS schema FROM pg_tables WHERE tablename = 'plans' ORDER BY 1",
  );
  expect(rows.map((row) => row.schema)).toEqual(['We"ir, "x" \\ é', "public", "select", "start"]);
});

test("a state has foreign keys only into itself", async () => {
  const { rows } = await admin.query(
    "SELECT 1 FROM pg_constraint JOIN pg_class ON pg_class.oid = confrelid WHERE contype = 'f' AND connamespace <> relnamespace",
  );
  expect(rows).toEqual([]);
});

test("two states in one database don't see each other's leases and jobs", async () => {
  await withStore({ schema: "one" }, async (one) =>
    withStore({ schema: "two" }, async (two) => {
      await one.migrate();
      await two.migrate();
      const request = { scopes: ["environment/shop/prod"], holder: "h", run: "r1" };
      expect(await one.acquireLease(request)).toMatchObject({ ok: true });
      expect(await two.acquireLease(request)).toMatchObject({ ok: true });
      expect(await two.acquireLease(request)).toMatchObject({ ok: false });
    }),
  );
});

test("an upgrade waits for running applies, then says whose they are; applies wait for an upgrade", async () => {
  const schema = "upgrade";
  await withStore({ schema }, async (old) => {
    await old.migrate();
    const taken = await old.acquireLease({ scopes: ["a"], holder: "run r1 by ilse", run: "r1" });
    if (!taken.ok) throw new Error("not free");
    const migrationsFolder = laterMigrations("ALTER TABLE plans ADD COLUMN later text;");
    const refused = withStore({ schema, migrationsFolder, upgradePatienceMs: 50 }, (store) => store.migrate());
    await expect(refused).rejects.toMatchObject({
      problems: [{ code: "state_in_use", holders: ["run r1 by ilse"] }],
    });
    expect(await columnsOf(schema, "plans")).not.toContain("later");

    const waiting = withStore({ schema, migrationsFolder }, (store) => store.migrate());
    await until(async () => {
      const { rows } = await admin.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      return rows.length > 0;
    });
    await old.releaseLease(taken.lease);
    expect(await waiting).toEqual({ applied: 1 });
    expect(await columnsOf(schema, "plans")).toContain("later");
    // The older program goes on: within a major tables only grow.
    expect(await old.acquireLease({ scopes: ["a"], holder: "h", run: "r2" })).toMatchObject({ ok: true });
    expect(await old.savePlan(planOf())).toMatchObject({ existing: false });
  });
});

test("a killed upgrade leaves the state as it was, and the next one does it all", async () => {
  const schema = "killed";
  await withStore({ schema }, (store) => store.migrate());
  const slow = laterMigrations("ALTER TABLE plans ADD COLUMN half text;--> statement-breakpoint\nSELECT pg_sleep(60);");
  const killed = withStore({ schema, migrationsFolder: slow }, (store) => store.migrate());
  const failure = problemCodes(killed);
  await until(async () => {
    const { rows } = await admin.query<{ done: boolean }>(
      "SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60);'",
    );
    return rows.some((row) => row.done);
  });
  expect(await failure).toEqual(["state_unreachable"]);
  expect(await columnsOf(schema, "plans")).not.toContain("half");
  const quick = laterMigrations("ALTER TABLE plans ADD COLUMN half text;");
  expect(await withStore({ schema, migrationsFolder: quick }, (store) => store.migrate())).toEqual({ applied: 1 });
  expect(await columnsOf(schema, "plans")).toContain("half");
});

test("a state that only newer programs may read is refused, one that only they may write can be read", async () => {
  const schema = "newer";
  const plan = planOf();
  await withStore({ schema }, async (store) => {
    await store.migrate();
    await store.savePlan(plan);
  });
  await admin.query("UPDATE newer.state_format SET min_writer = 7");
  await withStore({ schema }, async (store) => {
    expect((await store.findPlan(plan.id))?.plan.id).toBe(plan.id);
    expect(await problemCodes(store.nextSubmission("shop", "prod"))).toEqual(["state_newer"]);
    expect(await problemCodes(store.migrate())).toEqual(["state_newer"]);
    expect(await problemCodes(store.acquireLease({ scopes: ["a"], holder: "h", run: "r" }))).toEqual(["state_newer"]);
  });
  await admin.query("UPDATE newer.state_format SET min_reader = 7");
  const refused = openStateStore({ connection: database.url, schema });
  await expect(refused).rejects.toMatchObject({ problems: [{ code: "state_newer", found: 7, known: 1 }] });
});

async function until(ask: () => Promise<boolean>, limitMs = 20_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await ask())) if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms`);
}
