import type { CapturedRule } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, HOST_SQL, JOIN_HOST_SQL } from "./attached-sql.ts";
import { type Found, firingState, type HostRow, hostOf, withoutEnd } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

export async function readRules(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(rulesQuery(wanted));
  return rows.map((row) => ({ captured: rule(row, wanted), catalog: "pg_rewrite", oid: row.oid }));
}

interface RuleRow extends HostRow {
  readonly n: string;
  readonly oid: number;
  readonly rulename: string;
  readonly comment: string | null;
  readonly definition: string;
  readonly ev_enabled: string;
}

function rule(row: RuleRow, wanted: readonly Wanted[]): CapturedRule {
  return {
    kind: "rule",
    object: wantedOf(wanted, row.n),
    rule: row.rulename,
    ...hostOf(row),
    owner: row.owner,
    comment: row.comment,
    labels: [],
    extensions: [],
    definition: withoutEnd(row.definition),
    state: firingState(row.ev_enabled),
  };
}

function rulesQuery(wanted: readonly Wanted[]): Query<RuleRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

const TEXT = `
SELECT w.n, r.oid, r.rulename::text AS rulename, ${HOST_SQL},
       ${commentSql("pg_rewrite", "r.oid")} AS comment,
       pg_catalog.pg_get_ruledef(r.oid) AS definition, r.ev_enabled::text AS ev_enabled
  FROM ${WANTED} ${JOIN_HOST_SQL}
  JOIN pg_catalog.pg_rewrite r ON r.ev_class = h.oid AND r.rulename = w.own
 WHERE r.rulename <> '_RETURN'`;
