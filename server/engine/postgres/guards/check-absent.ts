import { type RelationName, relationKey } from "../../../core/base/relation-name.ts";
import { relationOidsQuery } from "../catalog/relation-oids-query.ts";
import { type GuardContext, guardFailed } from "./guard-context.ts";

/** Nothing to lock: whoever makes it first makes our own CREATE fail, which is as good. */
export async function checkAbsent({ session }: GuardContext, relation: RelationName): Promise<void> {
  const rows = await session.query(relationOidsQuery([relation]));
  if (rows.length > 0) throw guardFailed([`${relationKey(relation)} exists, and the plan was made without it`]);
}
