import { WarehouseError } from "../../core/catalog/warehouse-error.ts";
import type { Statement } from "../../core/plan/action.ts";
import type { ConnectionSettings } from "../../ports/project-source.ts";
import type { EnvironmentMarker, MarkerKey, StatementTag, Warehouse } from "../../ports/warehouse.ts";
import { withAuthorsSearchPath } from "./authors-search-path.ts";
import { namingBlockers } from "./blockers.ts";
import { cancelBusy } from "./cancel-busy.ts";
import { environmentMarkerQuery } from "./catalog/environment-marker-query.ts";
import { checkServer } from "./check-server.ts";
import { connectionTarget } from "./connection-target.ts";
import { refuseTransactionPooler } from "./detect-pooler.ts";
import { takeFences } from "./fences.ts";
import { markersQuery } from "./internal-queries.ts";
import { readCapturesOnce, readCatalogOnce } from "./read-only.ts";
import { createSessionPool, type SessionPool } from "./session-pool.ts";
import { sessionSettingsQuery } from "./session-settings-query.ts";
import { setUpInternal } from "./set-up-internal.ts";
import { SQLSTATE } from "./sqlstate.ts";
import { tagStatement } from "./statement-tag.ts";
import { settingText } from "./timeouts.ts";
import { runWriteTransaction } from "./write-transaction.ts";

/**
 * A Postgres warehouse. Connects once, to find out whether there is one and what it is; whether a pooler stands in
 * between is found out before the first write.
 *
 * @throws WarehouseError `unreachable`
 * @throws AppError `engine_unsupported`
 */
export async function openWarehouse(connection: ConnectionSettings): Promise<Warehouse> {
  const pool = createSessionPool(connection);
  await pool.use((session) => checkServer(session.query, connectionTarget(connection)));
  let direct: Promise<void> | null = null;
  const writing = async <T>(work: () => Promise<T>): Promise<T> => {
    direct ??= refuseTransactionPooler(connection);
    await direct;
    return work();
  };
  return {
    readCatalog: (request) => readCatalogOnce(pool, request),
    readCaptures: (objects) => readCapturesOnce(pool, objects),
    setUpInternal: (statements) => writing(() => setUpInternal(pool, statements)),
    takeFences: (scopes) => writing(() => takeFences(pool, scopes)),
    readMarkers: (run) => readMarkers(pool, run),
    readEnvironmentMarker: (project, environment) => readEnvironmentMarker(pool, project, environment),
    runTransaction: (transaction) =>
      writing(() => pool.use((session) => runWriteTransaction(pool, session, transaction))),
    runAlone: (statement, tag) => writing(() => runAlone(pool, connection, statement, tag)),
    cancel: () => cancelBusy(connection, pool.busy()),
    close: () => pool.close(),
  };
}

function readMarkers(pool: SessionPool, run: string): Promise<readonly MarkerKey[]> {
  return absentBefore([], () => pool.use((session) => session.query(markersQuery(run))));
}

function readEnvironmentMarker(
  pool: SessionPool,
  project: string,
  environment: string,
): Promise<EnvironmentMarker | null> {
  return absentBefore(null, async () => {
    const [row] = await pool.use((session) => session.query(environmentMarkerQuery(project, environment)));
    return row === undefined ? null : { project, environment, promotion: Number(row.promotion), digest: row.digest };
  });
}

/** Before the first apply there is no weir_internal, and so nothing in it. */
async function absentBefore<T>(absent: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WarehouseError && NOT_SET_UP.has(error.fault.sqlstate)) return absent;
    throw error;
  }
}

const NOT_SET_UP: ReadonlySet<string> = new Set([SQLSTATE.undefinedTable, SQLSTATE.invalidSchemaName]);

/** Timeouts hold for the session, since there is no transaction to hold them in; they are taken back at the end. */
async function runAlone(
  pool: SessionPool,
  connection: ConnectionSettings,
  statement: Statement,
  tag: StatementTag,
): Promise<void> {
  await pool.use(async (session) => {
    if (session.pooled) await session.query(sessionSettingsQuery(connection.role, "session"));
    await session.execute(`SET lock_timeout TO ${settingText(statement.lockTimeoutMs)}`);
    await session.execute(`SET statement_timeout TO ${settingText(statement.statementTimeoutMs)}`);
    await namingBlockers(pool, session, statement.lockTimeoutMs ?? 0, () =>
      withAuthorsSearchPath(session, () => session.execute(tagStatement(tag, statement.sql))),
    );
    await session.execute("SET lock_timeout TO DEFAULT");
    await session.execute("SET statement_timeout TO DEFAULT");
  });
}
