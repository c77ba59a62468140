import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import type { RunQuery } from "./query.ts";

interface VersionRow {
  readonly version: string;
  readonly server_version_num: string;
}

const OLDEST = 140_000;

/**
 * Many products speak the protocol and answer `SELECT version()` with a PostgreSQL in it, but have other catalogs, or
 * DDL that no ROLLBACK takes back. What is done here would not be safe there.
 *
 * @throws AppError `engine_unsupported`
 */
export async function checkServer(run: RunQuery, target: string): Promise<void> {
  const [row] = await run<VersionRow>({
    text: `SELECT pg_catalog.version() AS version,
                  pg_catalog.current_setting('server_version_num') AS server_version_num`,
    values: [],
  });
  const version = row?.version ?? "";
  const foreign = /RisingWave|CockroachDB|Redshift|Materialize|YugabyteDB|Greenplum/i.exec(version);
  if (foreign !== null || !version.startsWith("PostgreSQL")) {
    throw unsupported(
      `${target} is ${foreign?.[0] ?? version}, not a PostgreSQL server. Only PostgreSQL 14 and later is supported yet.`,
    );
  }
  if (Number(row?.server_version_num) < OLDEST) {
    throw unsupported(
      `${target} is ${version.split(" ").slice(0, 2).join(" ")}; PostgreSQL 14 is the oldest that is supported.`,
    );
  }
}

function unsupported(reason: string): AppError {
  return new AppError(problem("engine_unsupported", { reason }));
}
