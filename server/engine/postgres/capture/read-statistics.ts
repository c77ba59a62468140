import { relationName } from "../../../core/base/relation-name.ts";
import type { CapturedStatistics } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql } from "./attached-sql.ts";
import type { Found } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

/** Extended statistics, what CREATE STATISTICS makes. */
export async function readStatistics(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(statisticsQuery(wanted));
  return rows.map((row) => ({ captured: statistics(row, wanted), catalog: "pg_statistic_ext", oid: row.oid }));
}

interface StatisticsRow {
  readonly n: string;
  readonly oid: number;
  readonly nspname: string;
  readonly stxname: string;
  readonly owner: string;
  readonly comment: string | null;
  readonly definition: string;
  readonly target: number | null;
}

function statistics(row: StatisticsRow, wanted: readonly Wanted[]): CapturedStatistics {
  return {
    kind: "statistics",
    object: wantedOf(wanted, row.n),
    statistics: relationName(row.nspname, row.stxname),
    owner: row.owner,
    comment: row.comment,
    labels: [],
    extensions: [],
    definition: row.definition,
    target: row.target,
  };
}

function statisticsQuery(wanted: readonly Wanted[]): Query<StatisticsRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/** A target of -1 up to 16, of NULL from 17 on: both are the default. */
const TEXT = `
SELECT w.n, s.oid, n.nspname::text AS nspname, s.stxname::text AS stxname,
       pg_catalog.pg_get_userbyid(s.stxowner)::text AS owner,
       ${commentSql("pg_statistic_ext", "s.oid")} AS comment,
       pg_catalog.pg_get_statisticsobjdef(s.oid) AS definition,
       NULLIF(s.stxstattarget, -1)::int AS target
  FROM ${WANTED}
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_statistic_ext s ON s.stxnamespace = n.oid AND s.stxname = w.own`;
