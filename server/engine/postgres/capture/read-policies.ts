import type { CapturedPolicy } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, HOST_SQL, JOIN_HOST_SQL } from "./attached-sql.ts";
import { type Found, type HostRow, hostOf, sortedTexts, spelled } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

export async function readPolicies(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(policiesQuery(wanted));
  return rows.map((row) => ({ captured: policy(row, wanted), catalog: "pg_policy", oid: row.oid }));
}

interface PolicyRow extends HostRow {
  readonly n: string;
  readonly oid: number;
  readonly polname: string;
  readonly comment: string | null;
  readonly polcmd: string;
  readonly polpermissive: boolean;
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
}

function policy(row: PolicyRow, wanted: readonly Wanted[]): CapturedPolicy {
  return {
    kind: "policy",
    object: wantedOf(wanted, row.n),
    policy: row.polname,
    on: hostOf(row).on,
    owner: row.owner,
    comment: row.comment,
    labels: [],
    extensions: [],
    command: spelled(COMMANDS, row.polcmd),
    permissive: row.polpermissive,
    roles: sortedTexts(row.roles),
    using: row.using,
    check: row.check,
  };
}

const COMMANDS: Readonly<Record<string, CapturedPolicy["command"]>> = {
  "*": "ALL",
  r: "SELECT",
  a: "INSERT",
  w: "UPDATE",
  d: "DELETE",
};

function policiesQuery(wanted: readonly Wanted[]): Query<PolicyRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

const TEXT = `
SELECT w.n, p.oid, p.polname::text AS polname, ${HOST_SQL},
       ${commentSql("pg_policy", "p.oid")} AS comment,
       p.polcmd::text AS polcmd, p.polpermissive,
       ARRAY(SELECT CASE WHEN u.role = 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(u.role)::text END
               FROM pg_catalog.unnest(p.polroles) AS u(role)) AS roles,
       pg_catalog.pg_get_expr(p.polqual, p.polrelid) AS "using",
       pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) AS "check"
  FROM ${WANTED} ${JOIN_HOST_SQL}
  JOIN pg_catalog.pg_policy p ON p.polrelid = h.oid AND p.polname = w.own`;
