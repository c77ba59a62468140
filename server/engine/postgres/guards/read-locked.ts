import { relationKey } from "../../../core/base/relation-name.ts";
import type { CatalogRelation } from "../../../core/catalog/catalog.ts";
import { displayObject } from "../../../core/catalog/display-object.ts";
import { readClosures } from "../catalog/read-closures.ts";
import type { Timeouts } from "../timeouts.ts";
import type { GuardContext } from "./guard-context.ts";

/** A relation as it is now, and what depends on it, one line each. */
export async function readLocked(
  { session, within }: GuardContext,
  oid: number,
  timeouts: Timeouts,
): Promise<{ readonly relation: CatalogRelation | null; readonly dependents: readonly string[] }> {
  const read = await within(timeouts, () => readClosures(session.query, [oid], []));
  const [closure] = read.closures;
  const name = closure === undefined ? null : relationKey(closure.root);
  return {
    relation: read.relations.find((each) => relationKey(each.name) === name) ?? null,
    dependents: (closure?.members ?? []).map(
      (member) => `${member.object.type} ${displayObject(member.object)} (${member.owner})`,
    ),
  };
}
