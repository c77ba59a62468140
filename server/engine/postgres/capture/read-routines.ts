import type { CapturedFunction, SecurityLabel } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { commentSql, extensionsSql, labelsSql } from "./attached-sql.ts";
import { type Found, labelsFrom, sortedTexts, withoutEnd } from "./found.ts";
import { type GrantsIn, readGrants } from "./read-grants.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

/** Functions and procedures, each among others of its name by the types of its arguments. */
export async function readRoutines(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = (await run(routinesQuery(wanted))).filter((row) => wantedOf(wanted, row.n).type === row.type);
  const grantsIn = await readGrants(
    run,
    rows.map((row) => row.acl),
  );
  return rows.map((row) => ({ captured: routine(row, wanted, grantsIn), catalog: "pg_proc", oid: row.oid }));
}

interface RoutineRow {
  readonly n: string;
  readonly oid: number;
  readonly nspname: string;
  /** `function` or `procedure`. */
  readonly type: CapturedFunction["routine"];
  /** As pg_identify_object has it: every name in it is qualified. */
  readonly identity: string;
  readonly owner: string;
  readonly comment: string | null;
  readonly labels: readonly SecurityLabel[] | null;
  readonly extensions: readonly string[];
  readonly definition: string;
  readonly acl: string;
  readonly uses_row_type: boolean;
  readonly procost: number;
}

function routine(row: RoutineRow, wanted: readonly Wanted[], grantsIn: GrantsIn): CapturedFunction {
  return {
    kind: "function",
    object: wantedOf(wanted, row.n),
    routine: row.type,
    signature: row.identity,
    schema: row.nspname,
    owner: row.owner,
    comment: row.comment,
    labels: labelsFrom(row.labels),
    extensions: sortedTexts(row.extensions),
    definition: withoutEnd(row.definition),
    grants: grantsIn(row.acl),
    usesRowType: row.uses_row_type,
    cost: row.procost,
  };
}

function routinesQuery(wanted: readonly Wanted[]): Query<RoutineRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/**
 * Aggregates and window functions can't be printed whole, or not made by anybody but a superuser. Nor can anybody else
 * make what is leakproof, has a support function, or is in a language that isn't for them: it can't be captured.
 */
const TEXT = `
SELECT w.n, p.oid, n.nspname::text AS nspname, CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END AS type,
       i.identity, pg_catalog.pg_get_userbyid(p.proowner)::text AS owner,
       ${commentSql("pg_proc", "p.oid")} AS comment,
       ${labelsSql("pg_proc", "p.oid")} AS labels,
       ${extensionsSql("pg_proc", "p.oid")} AS extensions,
       pg_catalog.pg_get_functiondef(p.oid) AS definition,
       COALESCE(p.proacl, pg_catalog.acldefault('f', p.proowner))::text AS acl, p.procost,
       EXISTS (SELECT
                 FROM pg_catalog.unnest(p.proargtypes::oid[] || p.proallargtypes || p.prorettype) AS u(typid)
                 JOIN pg_catalog.pg_type t ON t.oid = u.typid
                 LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
                 JOIN pg_catalog.pg_class c ON c.oid = COALESCE(NULLIF(t.typrelid, 0), e.typrelid)
                WHERE c.relkind IN ('v', 'm')) AS uses_row_type
  FROM ${WANTED}
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_proc p ON p.pronamespace = n.oid AND p.proname = w.own AND p.prokind IN ('f', 'p')
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang
 CROSS JOIN LATERAL pg_catalog.pg_identify_object('pg_catalog.pg_proc'::pg_catalog.regclass, p.oid, 0) i
 WHERE i.identity = pg_catalog.quote_ident(n.nspname) || '.' || w.detail
   AND ((SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user)
        OR (NOT p.proleakproof AND p.prosupport = 0
            AND l.lanpltrusted AND pg_catalog.has_language_privilege(l.oid, 'USAGE')))`;
