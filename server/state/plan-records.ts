import { and, desc, eq, inArray, like, ne, sql } from "drizzle-orm";
import { AppError } from "../core/base/app-error.ts";
import type { Plan, PlanState } from "../core/plan/plan.ts";
import type { PlanFilter, PlanRecord, PlanStateNote } from "../ports/state-store.ts";
import { targetLock } from "./advisory-lock.ts";
import type { Session } from "./database.ts";
import { effectsKey } from "./effects-key.ts";
import type { WarnUnreadable } from "./environment-records.ts";
import { ensureProject } from "./project-records.ts";
import { fromStoredList, toStored } from "./stored-json.ts";
import { readPlan, writePlan } from "./stored-plan.ts";
import { planEvents, plans, submissions } from "./tables.ts";

type PlanRow = typeof plans.$inferSelect;

const WAITING: readonly PlanState[] = ["open", "approved"];

export async function savePlan(
  session: Session,
  schema: string,
  plan: Plan,
): Promise<{ record: PlanRecord; existing: boolean }> {
  const { project, environment } = plan.effects.target;
  const { author, folder, now } = plan.context;
  await ensureProject(session, project);
  // Two plans of one author saved at once would each miss the other and both stay open.
  await session.execute(sql`select pg_advisory_xact_lock(${targetLock(schema, project, environment)})`);
  const key = effectsKey(plan);
  const [equal] = await session
    .select()
    .from(plans)
    .where(and(eq(plans.effectsKey, key), inArray(plans.state, [...WAITING])));
  if (equal !== undefined) return { record: toRecord(equal), existing: true };
  const [row] = await session
    .insert(plans)
    .values({
      ...writePlan(plan),
      project,
      environment,
      author,
      folder,
      effectsKey: key,
      state: "open",
      stateBy: author,
      stateAt: now,
    })
    .returning();
  if (row === undefined) throw new Error("an inserted plan came back without a row");
  await session.insert(planEvents).values({ planId: plan.id, state: "open", by: author, at: now });
  await supersedeOthers(session, plan);
  return { record: toRecord(row), existing: false };
}

/** Approved ones too: whoever approved saw a change that its author has since replaced. */
async function supersedeOthers(session: Session, plan: Plan): Promise<void> {
  const { project, environment } = plan.effects.target;
  const { author, folder, now } = plan.context;
  const others = await session
    .update(plans)
    .set({ state: "superseded", stateBy: author, stateAt: now, stateReason: null, supersededBy: plan.id })
    .where(
      and(
        eq(plans.project, project),
        eq(plans.environment, environment),
        eq(plans.author, author),
        eq(plans.folder, folder),
        inArray(plans.state, [...WAITING]),
        ne(plans.id, plan.id),
      ),
    )
    .returning({ id: plans.id });
  if (others.length === 0) return;
  await session
    .insert(planEvents)
    .values(others.map(({ id }) => ({ planId: id, state: "superseded" as const, by: author, at: now })));
}

export async function nextSubmission(session: Session, project: string, environment: string): Promise<number> {
  await ensureProject(session, project);
  const [row] = await session
    .insert(submissions)
    .values({ project, environment, last: 1 })
    .onConflictDoUpdate({
      target: [submissions.project, submissions.environment],
      set: { last: sql`${submissions.last} + 1` },
    })
    .returning({ last: submissions.last });
  if (row === undefined) throw new Error("an upsert came back without a row");
  return row.last;
}

export async function findPlan(session: Session, id: string): Promise<PlanRecord | null> {
  const beginning = `${id.replace(/[\\%_]/g, "\\$&")}%`;
  const found = id === "" ? [] : await session.select().from(plans).where(like(plans.id, beginning)).limit(2);
  const [first, second] = found;
  const row = found.find((each) => each.id === id) ?? (second === undefined ? first : undefined);
  return row === undefined ? null : toRecord(row);
}

/** Newest first. One that can't be read is left out with a warning; asking for it by id says why. */
export async function listPlans(
  session: Session,
  warn: WarnUnreadable,
  filter: PlanFilter,
): Promise<readonly PlanRecord[]> {
  const rows = await session
    .select()
    .from(plans)
    .where(
      and(
        filter.project === null ? undefined : eq(plans.project, filter.project),
        filter.environment === null ? undefined : eq(plans.environment, filter.environment),
        filter.states === null ? undefined : inArray(plans.state, [...filter.states]),
      ),
    )
    .orderBy(desc(plans.position))
    .limit(filter.limit);
  return rows.flatMap((row) => {
    try {
      return [toRecord(row)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      warn(error);
      return [];
    }
  });
}

export async function movePlan(
  session: Session,
  id: string,
  from: readonly PlanState[],
  to: PlanState,
  note: PlanStateNote,
): Promise<boolean> {
  const moved = toStored(note.moved);
  const rows = await session
    .update(plans)
    .set({ state: to, stateBy: note.by, stateAt: note.at, stateReason: note.reason, moved })
    .where(and(eq(plans.id, id), inArray(plans.state, [...from])))
    .returning({ id: plans.id });
  if (rows.length === 0) return false;
  await session
    .insert(planEvents)
    .values({ planId: id, state: to, by: note.by, at: note.at, reason: note.reason, moved });
  return true;
}

function toRecord(row: PlanRow): PlanRecord {
  const { state, stateBy, stateAt, stateReason, supersededBy } = row;
  const moved = fromStoredList<string>(`Plan ${row.id}`, row.moved);
  return { plan: readPlan(row), state, stateBy, stateAt, stateReason, moved, supersededBy };
}
