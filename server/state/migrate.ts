import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { asc, isNull, sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { quoteIdentifier } from "../core/base/relation-name.ts";
import { migrationLock, upgradeLock } from "./advisory-lock.ts";
import type { Database, Session } from "./database.ts";
import { checkFormat, recordFormat } from "./state-format.ts";
import { leases } from "./tables.ts";

/** How long an upgrade waits for running applies before it says who they are. */
const PATIENCE_MS = 60_000;

/**
 * Brings the schema up to date. Of several that start together one works and the others find nothing left to do.
 * All pending migrations are one transaction, so that a killed upgrade leaves the state as it was.
 * @throws AppError `state_newer`, `state_in_use`, `state_forbidden`, `state_unreachable`.
 */
export async function migrate(database: Database, folder: string): Promise<{ readonly applied: number }> {
  const { schema } = database.settings;
  const own = await database.openSession();
  try {
    return await own.read(async (session) => {
      await session.execute(sql`select pg_advisory_lock(${migrationLock(schema)})`);
      await checkFormat(session);
      const migrations = readMigrationFiles({ migrationsFolder: folder });
      const isNew = !(await hasMigrationsTable(session));
      const pending = isNew ? migrations : await pendingOf(session, migrations);
      if (pending.length === 0) return { applied: 0 };
      if (isNew) await createMigrationsTable(session, schema);
      else await waitForApplies(session, schema);
      await applyAll(session, pending);
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

/** The same table that Drizzle's own migrator keeps, in our schema: it can't run ours, see `unqualified`. */
async function createMigrationsTable(session: Session, schema: string): Promise<void> {
  const { rows } = await session.execute(sql`select 1 from pg_namespace where nspname = ${schema}`);
  // Asked first, since CREATE SCHEMA IF NOT EXISTS needs the right to create even where there is nothing to do.
  if (rows.length === 0) await session.execute(sql.raw(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(schema)}`));
  await session.execute(
    sql.raw("CREATE TABLE IF NOT EXISTS migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)"),
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

async function waitForApplies(session: Session, schema: string): Promise<void> {
  await session.execute(sql.raw(`SET lock_timeout TO ${PATIENCE_MS}`));
  try {
    await session.execute(sql`select pg_advisory_lock(${upgradeLock(schema)})`);
  } catch (error) {
    const cause = error instanceof Error && "cause" in error ? error.cause : error;
    // 55P03 lock_not_available: somebody holds a lease all this time.
    if (!(cause instanceof Error && "code" in cause && cause.code === "55P03")) throw error;
    const holders = await session
      .select({ holder: leases.holder })
      .from(leases)
      .where(isNull(leases.endedAt))
      .orderBy(asc(leases.epoch));
    throw new AppError(problem("state_in_use", { holders: holders.map((each) => each.holder) }));
  }
}

async function applyAll(session: Session, pending: readonly MigrationMeta[]): Promise<void> {
  await session.transaction(async (transaction) => {
    for (const migration of pending) {
      for (const statement of migration.sql) await transaction.execute(sql.raw(unqualified(statement)));
      await transaction.execute(
        sql`insert into migrations (hash, created_at) values (${migration.hash}, ${migration.folderMillis})`,
      );
    }
    await recordFormat(transaction);
  });
}

/**
 * drizzle-kit 0.31 leaves tables without a schema bare, as we want it, but writes `"public".` before the target of a
 * foreign key. Without it the search_path decides here too, and one set of migrations serves any schema.
 */
function unqualified(statement: string): string {
  return statement.replaceAll('REFERENCES "public".', "REFERENCES ");
}
