import { quoteLiteral } from "../../../base/relation-name.ts";

/**
 * Where the next index or materialized view is stored; empty for the database's own place. The server's text of an index
 * leaves its tablespace out, and a session's default would slip in otherwise. It holds until the transaction ends, so
 * whatever is stored says where, each time.
 */
export function tablespaceText(tablespace: string | null): string {
  return `SET LOCAL default_tablespace TO ${quoteLiteral(tablespace ?? "")}`;
}

/** A body that is text may name what isn't there yet, or isn't there any more; it was there like that before. */
export const BODIES_UNCHECKED = "SET LOCAL check_function_bodies TO off";
export const BODIES_CHECKED = "SET LOCAL check_function_bodies TO DEFAULT";
