import type { Guard } from "../../../core/plan/action.ts";
import type { Timeouts } from "../timeouts.ts";
import { changedLine, type GuardContext, guardFailed } from "./guard-context.ts";
import { lockRelation } from "./lock-relation.ts";
import { readLocked } from "./read-locked.ts";

export async function checkUnchanged(
  context: GuardContext,
  guard: Extract<Guard, { kind: "unchanged" }>,
  timeouts: Timeouts,
): Promise<void> {
  const row = await lockRelation(context, guard.relation, timeouts, "unchanged");
  const { relation } = await readLocked(context, row.oid, timeouts);
  if (relation?.fingerprint !== guard.fingerprint) throw guardFailed([changedLine(guard.relation)]);
}
