import type { CapturedDefault } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";
import { HOST_SQL, JOIN_HOST_SQL } from "./attached-sql.ts";
import { type Found, type HostRow, hostOf } from "./found.ts";
import { WANTED, type Wanted, wantedOf, wantedValues } from "./wanted-objects.ts";

export async function readDefaults(run: RunQuery, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const rows = await run(defaultsQuery(wanted));
  return rows.map((row) => ({ captured: columnDefault(row, wanted), catalog: "pg_attrdef", oid: row.oid }));
}

interface DefaultRow extends HostRow {
  readonly n: string;
  readonly oid: number;
  readonly attname: string;
  readonly expression: string;
}

/** Nobody can comment on a default, label it, or tie it to an extension. */
function columnDefault(row: DefaultRow, wanted: readonly Wanted[]): CapturedDefault {
  return {
    kind: "default",
    object: wantedOf(wanted, row.n),
    ...hostOf(row),
    owner: row.owner,
    comment: null,
    labels: [],
    extensions: [],
    column: row.attname,
    expression: row.expression,
  };
}

function defaultsQuery(wanted: readonly Wanted[]): Query<DefaultRow> {
  return { text: TEXT, values: wantedValues(wanted) };
}

/** What a generated column is computed from stands in the same catalog, and is no default. */
const TEXT = `
SELECT w.n, ad.oid, a.attname::text AS attname, ${HOST_SQL},
       pg_catalog.pg_get_expr(ad.adbin, ad.adrelid) AS expression
  FROM ${WANTED} ${JOIN_HOST_SQL}
  JOIN pg_catalog.pg_attribute a ON a.attrelid = h.oid AND a.attname = w.own AND a.attgenerated = ''
  JOIN pg_catalog.pg_attrdef ad ON ad.adrelid = a.attrelid AND ad.adnum = a.attnum`;
