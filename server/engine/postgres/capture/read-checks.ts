import type { CapturedCheck } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, HOST_SQL, JOIN_HOST_SQL } from "./attached-sql.ts";
import { type Found, type HostRow, hostOf } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

export async function readChecks(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(checksQuery(wanted));
  return rows.map((row) => ({ captured: check(row, wanted), catalog: "pg_constraint", oid: row.oid }));
}

interface CheckRow extends HostRow {
  readonly n: string;
  readonly oid: number;
  readonly conname: string;
  readonly comment: string | null;
  readonly definition: string;
  readonly convalidated: boolean;
}

function check(row: CheckRow, wanted: readonly Wanted[]): CapturedCheck {
  return {
    kind: "check",
    object: wantedOf(wanted, row.n),
    constraint: row.conname,
    on: hostOf(row).on,
    owner: row.owner,
    comment: row.comment,
    labels: [],
    extensions: [],
    definition: row.definition,
    validated: row.convalidated,
  };
}

function checksQuery(wanted: readonly Wanted[]): Query<CheckRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/** An inherited one is its parent's: it can neither be dropped nor made by itself. */
const TEXT = `
SELECT w.n, k.oid, k.conname::text AS conname, ${HOST_SQL},
       ${commentSql("pg_constraint", "k.oid")} AS comment,
       pg_catalog.pg_get_constraintdef(k.oid) AS definition, k.convalidated
  FROM ${WANTED} ${JOIN_HOST_SQL}
  JOIN pg_catalog.pg_constraint k ON k.conrelid = h.oid AND k.conname = w.own
 WHERE k.contype = 'c' AND k.coninhcount = 0`;
