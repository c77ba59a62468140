import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { quoteIdentifier } from "../core/base/relation-name.ts";
import { migrationLock, upgradeLock } from "./advisory-lock.ts";
import type { Database, Session } from "./database.ts";
import { liveHolders } from "./lease-records.ts";
import { LOCK_NOT_AVAILABLE, sqlstateOf } from "./state-fault.ts";
import { checkFormat, recordFormat } from "./state-format.ts";

export interface MigrateOptions {
  /** Where the generated migrations lie. */
  readonly folder: string;
  /** How long an upgrade waits for running applies before it says whose they are. */
  readonly patienceMs: number;
}

/**
 * Brings the schema up to date. Of several that start together one works and the others find nothing left to do.
 * All pending migrations are one transaction, so that a killed upgrade leaves the state as it was.
 * @throws AppError `state_newer`, `state_in_use`, `state_forbidden`, `state_unreachable`.
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<{ readonly applied: number }> {
  const { schema } = database.settings;
  const own = await database.openSession();
  try {
    return await own.read(async (session) => {
      await session.execute(sql`select pg_advisory_lock(${migrationLock(schema)})`);
      await checkFormat(session, database.settings);
      const migrations = readMigrationFiles({ migrationsFolder: options.folder });
      const isNew = !(await hasMigrationsTable(session));
      const pending = isNew ? migrations : await pendingOf(session, migrations);
      if (!isNew && pending.length > 0) await waitForApplies(session, schema, options.patienceMs);
      await session.transaction(async (transaction) => {
        if (isNew) await createMigrationsTable(transaction, schema);
        await applyAll(transaction, pending);
        await recordFormat(transaction);
      });
      return { applied: pending.length };
    });
  } finally {
    // Its locks end with it.
    await own.end();
  }
}

/** `drizzle/` of the package that this file, or the bundle made of it, lies in. */
export function findMigrations(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, "drizzle");
    if (existsSync(join(candidate, "meta", "_journal.json"))) return candidate;
    if (folder === dirname(folder))
      throw new Error("the folder drizzle/ with the migrations of the state database is missing");
  }
}

/** As Drizzle's own migrator keeps it, in our schema. That one can't run our migrations, see `unqualified`. */
async function createMigrationsTable(session: Session, schema: string): Promise<void> {
  const { rows } = await session.execute(sql`select 1 from pg_namespace where nspname = ${schema}`);
  // Asked first, since CREATE SCHEMA IF NOT EXISTS needs the right to create even where there is nothing to do.
  if (rows.length === 0) await session.execute(sql.raw(`CREATE SCHEMA ${quoteIdentifier(schema)}`));
  await session.execute(
    sql.raw("CREATE TABLE migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)"),
  );
}

async function hasMigrationsTable(session: Session): Promise<boolean> {
  const { rows } = await session.execute<{ found: boolean }>(
    sql`select to_regclass('migrations') is not null as found`,
  );
  return rows[0]?.found === true;
}

async function pendingOf(session: Session, migrations: readonly MigrationMeta[]): Promise<readonly MigrationMeta[]> {
  const { rows } = await session.execute<{ last: string | null }>(sql`select max(created_at) as last from migrations`);
  const last = Number(rows[0]?.last ?? 0);
  return migrations.filter((migration) => migration.folderMillis > last);
}

async function waitForApplies(session: Session, schema: string, patienceMs: number): Promise<void> {
  await session.execute(sql.raw(`SET lock_timeout TO ${Math.max(1, Math.round(patienceMs))}`));
  try {
    await session.execute(sql`select pg_advisory_lock(${upgradeLock(schema)})`);
  } catch (error) {
    if (sqlstateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new AppError(problem("state_in_use", { holders: await liveHolders(session, schema) }));
  }
}

async function applyAll(session: Session, pending: readonly MigrationMeta[]): Promise<void> {
  for (const migration of pending) {
    for (const statement of migration.sql) await session.execute(sql.raw(unqualified(statement)));
    await session.execute(
      sql`insert into migrations (hash, created_at) values (${migration.hash}, ${migration.folderMillis})`,
    );
  }
}

/**
 * drizzle-kit 0.31 leaves tables without a schema bare, as we want it, but writes `"public".` before the target of a
 * foreign key. Without it the search_path decides here too, and one set of migrations serves any schema.
 */
function unqualified(statement: string): string {
  return statement.replaceAll('REFERENCES "public".', "REFERENCES ");
}
