import type { CapturedMaterializedView } from "../../catalog/captured.ts";
import type { Acceptances } from "./acceptances.ts";
import type { JudgedMember } from "./judge-members.ts";

/** What is done about the rows of a materialized view that is made again. */
export type StoredRows =
  /** It held none, and won't. */
  | "none"
  /** Counted and hashed before and after, in the promotion's transaction. */
  | "compared"
  /** Somebody took it on that they may differ. */
  | "accepted"
  /** Too many to compare while readers wait. */
  | "too_many";

const MANY_ROWS = 10_000_000;
const MANY_BYTES = 1_000_000_000;

export function storedRows(judged: JudgedMember, acceptances: Acceptances): StoredRows {
  const view = recreatedView(judged);
  if (view === null || !view.populated) return "none";
  if (acceptances.accepts("stored_rows_recomputed", view.object)) return "accepted";
  const many = (view.estimatedRows ?? 0) >= MANY_ROWS || view.bytes >= MANY_BYTES;
  return many ? "too_many" : "compared";
}

export function recreatedView({ captured, fate }: JudgedMember): CapturedMaterializedView | null {
  return captured?.kind === "materialized_view" && fate === "recreated" ? captured : null;
}
