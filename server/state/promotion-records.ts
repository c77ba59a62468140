import { and, eq } from "drizzle-orm";
import { AppError } from "../core/base/app-error.ts";
import type { Hash } from "../core/base/hash.ts";
import { problem } from "../core/base/problem.ts";
import type { RunEvent } from "../core/stage/run.ts";
import type { FinalisedRun, Intent } from "../ports/state-store.ts";
import type { Session } from "./database.ts";
import { promoteEnvironment, readPromotion } from "./environment-records.ts";
import { movePlan } from "./plan-records.ts";
import { readRun, setRun, writeEvent } from "./run-records.ts";
import { saveSnapshots } from "./snapshot-records.ts";
import { intents, runs } from "./tables.ts";
import { saveVersions } from "./version-records.ts";

/**
 * One intent an environment: whoever holds its lease has resolved an older one by the warehouse's marker before
 * recording the next, so that the next takes its place.
 */
export async function recordIntent(session: Session, run: string, promotion: number, digest: Hash): Promise<void> {
  const found = await readRun(session, run);
  if (found === null) throw new AppError(problem("run_unknown", { run }));
  const { project, environment } = found;
  await session
    .insert(intents)
    .values({ project, environment, run, promotion, digest })
    .onConflictDoUpdate({ target: [intents.project, intents.environment], set: { run, promotion, digest } });
}

export async function readIntent(session: Session, project: string, environment: string): Promise<Intent | null> {
  const [row] = await session
    .select({ run: intents.run, planId: runs.planId, promotion: intents.promotion, digest: intents.digest })
    .from(intents)
    .innerJoin(runs, eq(runs.id, intents.run))
    .where(and(eq(intents.project, project), eq(intents.environment, environment)));
  return row ?? null;
}

/**
 * Once the warehouse serves the plan, state only follows: the plan is recorded as applied from whatever state it is in.
 * Doing it again after a lost reply changes nothing. @throws AppError `promotion_conflict`.
 */
export async function finalise(session: Session, outcome: FinalisedRun): Promise<readonly RunEvent[]> {
  const { run, plan, environment, versions, at } = outcome;
  const { project, name, promotion } = environment;
  await saveSnapshots(session, plan.effects.snapshots);
  if (!(await promoteEnvironment(session, environment, run, at))) {
    const found = await readPromotion(session, project, name);
    if (found.promotion === promotion && found.planId === environment.planId) return [];
    throw new AppError(problem("promotion_conflict", { environment: name, found: found.promotion, next: promotion }));
  }
  await saveVersions(session, run, versions);
  await session.delete(intents).where(and(eq(intents.project, project), eq(intents.environment, name)));
  const applied = ["open", "approved", "applying", "failed", "stale", "superseded", "expired", "discarded"] as const;
  await movePlan(session, plan.id, applied, "applied", { by: run, at, reason: null, moved: [] });
  const events: RunEvent[] = [];
  for (const event of outcome.events) events.push(await writeEvent(session, run, at, event));
  await setRun(session, run, { state: "applied", endedAt: at });
  return events;
}
