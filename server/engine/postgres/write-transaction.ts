import { compareText, quoteIdentifier, quoteRelation } from "../../core/base/relation-name.ts";
import { WarehouseError } from "../../core/catalog/warehouse-error.ts";
import type { Statement } from "../../core/plan/action.ts";
import { objectKey } from "../../core/plan/dependents.ts";
import type { Fence, TransactionReport, TransactionStep, WriteTransaction } from "../../ports/warehouse.ts";
import { createSearchPathSetter } from "./authors-search-path.ts";
import { namingBlockers } from "./blockers.ts";
import { endsTransaction } from "./ends-transaction.ts";
import { checkGuard } from "./guards/check-guard.ts";
import type { GuardContext } from "./guards/guard-context.ts";
import { holdFencesQuery, insertMarkerQuery, writeEnvironmentMarkerQuery } from "./internal-queries.ts";
import { seedLines } from "./seed-lines.ts";
import type { Executed, Session } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";
import { NO_SQLSTATE } from "./sqlstate.ts";
import { tagQuery, tagStatement } from "./statement-tag.ts";
import { createTimeoutSetter, type Timeouts, timeoutsOf } from "./timeouts.ts";

/**
 * One writing transaction: fences, then the marker, then the steps, then the environment's record, then COMMIT. Whoever
 * loses the process at any point in it finds all of it or nothing; the marker tells which.
 */
export async function runWriteTransaction(
  pool: SessionPool,
  session: Session,
  transaction: WriteTransaction,
): Promise<TransactionReport> {
  const { tag, steps, environmentMarker } = transaction;
  await session.begin(tagStatement(tag, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"));
  try {
    // A process that is stopped in its tracks must not keep readers out for as long as it lies there.
    await session.execute(`SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`);
    const run = createRunner(pool, session, transaction);
    await run.within(BOOKKEEPING_TIMEOUTS, () => holdFences(session, transaction));
    const fresh = await run.within(BOOKKEEPING_TIMEOUTS, () => insertMarker(session, transaction));
    if (!fresh) {
      await session.execute("ROLLBACK");
      return { found: true, rows: null };
    }
    for (const step of steps) await runStep(run, step);
    if (environmentMarker !== null) {
      await run.within(BOOKKEEPING_TIMEOUTS, () =>
        session.query(tagQuery(tag, writeEnvironmentMarkerQuery(environmentMarker))),
      );
    }
    await session.execute(tagStatement(tag, "COMMIT"));
    return { found: false, rows: run.rows() };
  } catch (error) {
    // A session that is lost or cancelled is closed instead, which rolls back as well.
    if (session.isUsable()) await session.execute("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

const IDLE_TIMEOUT_MS = 60_000;

/** Only another holder of the same scope can be in the way here, and only for moments. */
const BOOKKEEPING_TIMEOUTS: Timeouts = { lockTimeoutMs: 10_000, statementTimeoutMs: null };

/** COPY takes as long as there are rows. */
const SEED_TIMEOUTS: Timeouts = { lockTimeoutMs: 10_000, statementTimeoutMs: 0 };

interface Runner extends GuardContext {
  readonly session: Session;
  readonly setSearchPath: ReturnType<typeof createSearchPathSetter>;
  readonly copySeed: (seed: NonNullable<TransactionStep["seed"]>) => Promise<void>;
  readonly execute: (statement: Statement) => Promise<void>;
  readonly rows: () => number | null;
}

function createRunner(pool: SessionPool, session: Session, { tag, captured }: WriteTransaction): Runner {
  const setTimeouts = createTimeoutSetter(session);
  let rows: number | null = null;
  const count = (more: number | null): void => {
    if (more !== null) rows = (rows ?? 0) + more;
  };
  const within = async <T>(timeouts: Timeouts, work: () => Promise<T>): Promise<T> => {
    await setTimeouts(timeouts);
    return namingBlockers(pool, session, timeouts.lockTimeoutMs ?? 0, work);
  };
  return {
    session,
    setSearchPath: createSearchPathSetter(session),
    within,
    execute: async (statement) => {
      if (statement.alone || endsTransaction(statement.sql)) throw breaksTransaction(statement);
      const sql = tagStatement(tag, statement.sql);
      count(writtenRows(await within(timeoutsOf(statement), () => session.execute(sql))));
    },
    executeText: (sql, timeouts) => within(timeouts, () => session.execute(tagStatement(tag, sql))),
    copySeed: async ({ relation, rows: seed }) => {
      const columns = seed.columns.map(quoteIdentifier).join(", ");
      const sql = tagStatement(tag, `COPY ${quoteRelation(relation)} (${columns}) FROM STDIN`);
      count(await within(SEED_TIMEOUTS, () => session.copyIn(sql, seedLines(seed.rows))));
    },
    rows: () => rows,
    captured: new Map(captured.map((each) => [objectKey(each.object), each])),
    rememberedRows: new Map(),
  };
}

async function runStep(run: Runner, step: TransactionStep): Promise<void> {
  const [first] = step.statements;
  if (step.guards.length > 0) await run.setSearchPath("ours");
  for (const guard of step.guards) await checkGuard(run, guard, first?.lockTimeoutMs ?? null);
  if (step.statements.length > 0) await run.setSearchPath(step.searchPath === "empty" ? "ours" : "authors");
  for (const statement of step.statements) await run.execute(statement);
  if (step.seed !== null) await run.copySeed(step.seed);
}

/** CREATE TABLE AS and SELECT INTO are tagged SELECT, like a query, but send no rows back. Deleted rows aren't written ones. */
function writtenRows(executed: Executed): number | null {
  const writes = executed.command === "INSERT" || executed.command === "UPDATE" || executed.command === "MERGE";
  return writes || (executed.command === "SELECT" && !executed.returnsRows) ? executed.rowCount : null;
}

async function holdFences(session: Session, { tag, fences }: WriteTransaction): Promise<void> {
  const sorted = [...fences].sort((a, b) => compareText(a.scope, b.scope));
  const rows = await session.query(tagQuery(tag, holdFencesQuery(sorted.map((fence) => fence.scope))));
  const epochs = new Map(rows.map((row) => [row.scope, Number(row.epoch)]));
  const lost = sorted.find((fence) => epochs.get(fence.scope) !== fence.epoch);
  if (lost !== undefined) throw fenceLost(lost);
}

async function insertMarker(session: Session, { tag, marker, fences }: WriteTransaction): Promise<boolean> {
  const epoch = Math.max(0, ...fences.map((fence) => fence.epoch));
  const rows = await session.query(tagQuery(tag, insertMarkerQuery(marker, epoch)));
  return rows.length > 0;
}

function fenceLost(fence: Fence): WarehouseError {
  return new WarehouseError({
    kind: "fence_lost",
    sqlstate: NO_SQLSTATE,
    message: `another process has taken over ${fence.scope}`,
    statement: null,
    details: [fence.scope],
  });
}

/** 2D000 invalid_transaction_termination is what the server says to the same thing from inside a procedure. */
function breaksTransaction(statement: Statement): WarehouseError {
  return new WarehouseError({
    kind: "refused",
    sqlstate: "2D000",
    message: "this statement can't run inside a transaction that must be done as a whole",
    statement: statement.sql,
    details: [],
  });
}
