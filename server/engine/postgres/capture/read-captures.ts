import { compareText } from "../../../core/base/relation-name.ts";
import type { CapturedKind, Captures } from "../../../core/catalog/captured.ts";
import type { ObjectName } from "../../../core/catalog/catalog.ts";
import { objectKey } from "../../../core/plan/dependents.ts";
import type { RunQuery } from "../query.ts";
import type { Found } from "./found.ts";
import { readChecks } from "./read-checks.ts";
import { readDefaultGrantees } from "./read-default-grantees.ts";
import { readDefaults } from "./read-defaults.ts";
import { readIndexes } from "./read-indexes.ts";
import { readPolicies } from "./read-policies.ts";
import { readRights } from "./read-rights.ts";
import { readRoutines } from "./read-routines.ts";
import { readRules } from "./read-rules.ts";
import { readStatistics } from "./read-statistics.ts";
import { readStoredQueries } from "./read-stored-queries.ts";
import { readTriggers } from "./read-triggers.ts";
import { sortOut, type Wanted } from "./wanted-objects.ts";

/**
 * Everything that has to be known of these objects in order to make them again; see core/catalog/captured.ts. One
 * question for each kind that is among them, whatever their number, and three more. The session's search_path is empty.
 */
export async function readCaptures(run: RunQuery, objects: readonly ObjectName[]): Promise<Captures> {
  const captured = (await findObjects(run, objects)).map((found) => found.captured);
  return {
    objects: captured,
    defaultGrantees: await readDefaultGrantees(run, [...new Set(captured.map((each) => each.object.schema))]),
    rights: await readRights(run, captured),
  };
}

/** The objects alone, with where the catalog has them; sorted by key. */
export async function findObjects(run: RunQuery, objects: readonly ObjectName[]): Promise<readonly Found[]> {
  const wanted = sortOut([...new Map(objects.map((object) => [objectKey(object), object])).values()]);
  const found: Found[] = [];
  for (const [kind, list] of wanted) found.push(...(await READERS[kind](run, list)));
  const keyed = found.map((each) => ({ each, key: objectKey(each.captured.object) }));
  return keyed.sort((a, b) => compareText(a.key, b.key)).map(({ each }) => each);
}

type Reader = (run: RunQuery, wanted: readonly Wanted[]) => Promise<readonly Found[]>;

const READERS: Readonly<Record<CapturedKind, Reader>> = {
  view: readStoredQueries,
  materialized_view: readStoredQueries,
  index: readIndexes,
  statistics: readStatistics,
  rule: readRules,
  trigger: readTriggers,
  policy: readPolicies,
  default: readDefaults,
  check: readChecks,
  function: readRoutines,
};
