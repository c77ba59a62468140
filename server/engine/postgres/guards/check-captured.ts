import type { Captured, CapturedAspect } from "../../../core/catalog/captured.ts";
import { differingAspects } from "../../../core/catalog/captured-aspects.ts";
import type { ObjectName } from "../../../core/catalog/catalog.ts";
import { displayObject } from "../../../core/catalog/display-object.ts";
import type { Guard } from "../../../core/plan/action.ts";
import { objectKey } from "../../../core/plan/dependents.ts";
import { findObjects } from "../capture/read-captures.ts";
import type { Timeouts } from "../timeouts.ts";
import { type GuardContext, guardFailed } from "./guard-context.ts";

/**
 * Reads the objects anew and compares them with what the plan has of them. The locks are the caller's: `hold_objects`
 * before a drop, or our own making afterwards.
 */
export async function checkCaptured(
  { session, within, captured }: GuardContext,
  guard: Extract<Guard, { kind: "captured" }>,
  timeouts: Timeouts,
): Promise<void> {
  if (guard.objects.length === 0) return;
  const found = await within(timeouts, () => findObjects(session.query, guard.objects));
  const now = new Map(found.map((each) => [objectKey(each.captured.object), each.captured]));
  const asked = new Set(guard.aspects);
  const differences = guard.objects.flatMap((object) =>
    differencesOf(object, plannedOf(captured, object), now.get(objectKey(object)), asked),
  );
  if (differences.length > 0) throw guardFailed(differences);
}

function differencesOf(
  object: ObjectName,
  planned: Captured,
  now: Captured | undefined,
  asked: ReadonlySet<CapturedAspect>,
): readonly string[] {
  const named = `${object.type} ${displayObject(object)}`;
  if (now === undefined) return [`${named} is gone`];
  const aspects = differingAspects(planned, now).filter((aspect) => asked.has(aspect));
  return aspects.length === 0 ? [] : [`${named} isn't as it was when the plan was made: ${aspects.join(", ")}`];
}

function plannedOf(captured: GuardContext["captured"], object: ObjectName): Captured {
  const planned = captured.get(objectKey(object));
  if (planned === undefined) throw new Error(`the plan compares ${objectKey(object)} with nothing: it wasn't captured`);
  return planned;
}
