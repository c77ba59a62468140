import type { CapturedTrigger } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, extensionsSql, HOST_SQL, JOIN_HOST_SQL } from "./attached-sql.ts";
import { type Found, firingState, type HostRow, hostOf, sortedTexts } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

export async function readTriggers(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(triggersQuery(wanted));
  return rows.map((row) => ({ captured: trigger(row, wanted), catalog: "pg_trigger", oid: row.oid }));
}

interface TriggerRow extends HostRow {
  readonly n: string;
  readonly oid: number;
  readonly tgname: string;
  readonly comment: string | null;
  readonly extensions: readonly string[];
  readonly definition: string;
  readonly tgenabled: string;
}

function trigger(row: TriggerRow, wanted: readonly Wanted[]): CapturedTrigger {
  return {
    kind: "trigger",
    object: wantedOf(wanted, row.n),
    trigger: row.tgname,
    ...hostOf(row),
    owner: row.owner,
    comment: row.comment,
    labels: [],
    extensions: sortedTexts(row.extensions),
    definition: row.definition,
    state: firingState(row.tgenabled),
  };
}

function triggersQuery(wanted: readonly Wanted[]): Query<TriggerRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/**
 * Those of foreign keys are internal. A trigger of a partitioned table makes one on each partition, which comes and
 * goes with it; where one of those was switched on or off by itself, that would be lost, so it can't be captured.
 */
const TEXT = `
SELECT w.n, t.oid, t.tgname::text AS tgname, ${HOST_SQL},
       ${commentSql("pg_trigger", "t.oid")} AS comment,
       ${extensionsSql("pg_trigger", "t.oid")} AS extensions,
       pg_catalog.pg_get_triggerdef(t.oid) AS definition, t.tgenabled::text AS tgenabled
  FROM ${WANTED} ${JOIN_HOST_SQL}
  JOIN pg_catalog.pg_trigger t ON t.tgrelid = h.oid AND t.tgname = w.own
 WHERE NOT t.tgisinternal AND t.tgparentid = 0
   AND (h.relkind <> 'p'
        OR NOT EXISTS (SELECT FROM pg_catalog.pg_trigger p
                        WHERE p.tgname = t.tgname AND p.tgfoid = t.tgfoid AND p.tgparentid <> 0
                          AND p.tgenabled <> t.tgenabled))`;
