import type { RelationName } from "../../../core/base/relation-name.ts";
import { relationKey } from "../../../core/base/relation-name.ts";
import type { Captured } from "../../../core/catalog/captured.ts";
import { WarehouseError } from "../../../core/catalog/warehouse-error.ts";
import type { Executed, Session } from "../session.ts";
import { NO_SQLSTATE } from "../sqlstate.ts";
import type { Timeouts } from "../timeouts.ts";

/** What checking needs of the transaction it happens in. */
export interface GuardContext {
  readonly session: Session;
  readonly within: <T>(timeouts: Timeouts, work: () => Promise<T>) => Promise<T>;
  readonly executeText: (sql: string, timeouts: Timeouts) => Promise<Executed>;
  /** What the plan knows of objects, by `objectKey` of their names. */
  readonly captured: ReadonlyMap<string, Captured>;
  /** Rows that `rows_remembered` has counted in this transaction, by `relationKey`. Empty when the transaction begins. */
  readonly rememberedRows: Map<string, RowsDigest>;
}

/** Two digests are equal where the same rows are there, in whatever order; null for a view that isn't filled. */
export type RowsDigest = { readonly count: string; readonly hashes: string } | null;

/** One line for each thing that isn't as the plan has it. */
export function guardFailed(details: readonly string[]): WarehouseError {
  return new WarehouseError({
    kind: "guard_failed",
    sqlstate: NO_SQLSTATE,
    message: details.join("; "),
    statement: null,
    details,
  });
}

export function changedLine(relation: RelationName): string {
  return `${relationKey(relation)} was changed since the plan was made`;
}
