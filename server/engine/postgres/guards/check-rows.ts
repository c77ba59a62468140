import { quoteRelation, type RelationName, relationKey } from "../../../core/base/relation-name.ts";
import { WarehouseError } from "../../../core/catalog/warehouse-error.ts";
import { lockableQuery } from "../catalog/lockable-query.ts";
import type { Query } from "../query.ts";
import { NO_SQLSTATE } from "../sqlstate.ts";
import type { Timeouts } from "../timeouts.ts";
import { type GuardContext, guardFailed, type RowsDigest } from "./guard-context.ts";

/** For `checkRowsSame` later in the same transaction. */
export async function rememberRows(
  context: GuardContext,
  relation: RelationName,
  { lockTimeoutMs }: Timeouts,
): Promise<void> {
  context.rememberedRows.set(relationKey(relation), await digestRows(context, relation, lockTimeoutMs));
}

/** @throws WarehouseError `rows_differ` */
export async function checkRowsSame(
  context: GuardContext,
  relation: RelationName,
  { lockTimeoutMs }: Timeouts,
): Promise<void> {
  const before = context.rememberedRows.get(relationKey(relation));
  if (before === undefined) throw new Error(`nothing was remembered of the rows of ${relationKey(relation)}`);
  const now = await digestRows(context, relation, lockTimeoutMs);
  const difference = differenceOf(before, now);
  if (difference === null) return;
  const line = `${relationKey(relation)} ${difference}`;
  throw new WarehouseError({
    kind: "rows_differ",
    sqlstate: NO_SQLSTATE,
    message: line,
    statement: null,
    details: [line],
  });
}

function differenceOf(before: RowsDigest, now: RowsDigest): string | null {
  if (before === null) return now === null ? null : "wasn't filled and is now";
  if (now === null) return "was filled and isn't now";
  if (before.count !== now.count) return `held ${rows(before.count)} and would hold ${now.count} when made again`;
  return before.hashes === now.hashes
    ? null
    : `would hold other rows when made again, as many (${now.count}) as before`;
}

function rows(count: string): string {
  return count === "1" ? "1 row" : `${count} rows`;
}

async function digestRows(
  { session, within }: GuardContext,
  relation: RelationName,
  lockTimeoutMs: number | null,
): Promise<RowsDigest> {
  const [found] = await session.query(lockableQuery(relation));
  if (found === undefined) throw guardFailed([`${relationKey(relation)} is gone`]);
  const [filled] = await session.query(filledQuery(found.oid));
  if (filled === undefined) return null;
  // It takes as long as there are rows.
  const timeouts: Timeouts = { lockTimeoutMs, statementTimeoutMs: 0 };
  const [digest] = await within(timeouts, () => session.query(digestQuery(relation)));
  if (digest === undefined) throw new Error("an aggregate without groups returned no row");
  return { count: digest.count, hashes: digest.hashes };
}

function filledQuery(oid: number): Query<object> {
  return { text: "SELECT FROM pg_catalog.pg_class c WHERE c.oid = $1 AND c.relispopulated", values: [oid] };
}

interface DigestRow {
  readonly count: string;
  readonly hashes: string;
}

/**
 * Sums of two hashes of 64 bits, so that the order of rows doesn't matter and two equal rows don't cancel out. Of a row
 * as text, since not every type can be hashed or even compared; ROW(r.*) and not `r`, which a column may be called.
 * The text is made once for both: OFFSET 0 keeps the two levels apart.
 */
function digestQuery(relation: RelationName): Query<DigestRow> {
  const text = `
SELECT pg_catalog.count(*)::text AS count,
       pg_catalog.concat_ws(',', pg_catalog.sum(pg_catalog.hashtextextended(t.line, 0)),
                                 pg_catalog.sum(pg_catalog.hashtextextended(t.line, 1))) AS hashes
  FROM (SELECT ROW(r.*)::text COLLATE pg_catalog."C" AS line FROM ${quoteRelation(relation)} AS r OFFSET 0) AS t`;
  return { text, values: [] };
}
