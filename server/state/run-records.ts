import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { Run, RunEvent, RunHappening, RunStage, RunState } from "../core/stage/run.ts";
import type { Lease, NewRun } from "../ports/state-store.ts";
import type { Session } from "./database.ts";
import { movePlan } from "./plan-records.ts";
import { parseJson, toStored } from "./stored-json.ts";
import { leases, plans, runEvents, runs } from "./tables.ts";

export async function startRun(session: Session, request: NewRun): Promise<Run | null> {
  const { id, plan, by, at } = request;
  const [stored] = await session.select({ digest: plans.digest }).from(plans).where(eq(plans.id, plan.id));
  if (stored?.digest !== plan.digest) return null;
  const note = { by, at, reason: null, moved: [] };
  if (!(await movePlan(session, plan.id, ["approved"], "applying", note))) return null;
  const { project, environment } = plan.effects.target;
  const total = plan.effects.actions.length;
  const row = {
    id,
    planId: plan.id,
    project,
    environment,
    state: "running" as const,
    startedBy: by,
    startedAt: at,
    total,
    lastSeq: 0,
  };
  await session.insert(runs).values(row);
  await writeEvent(session, id, at, { kind: "run_started", by, total, resumed: false });
  return readRun(session, id);
}

export async function readRun(session: Session, id: string): Promise<Run | null> {
  const [run] = await selectRuns(session, eq(runs.id, id), 1);
  return run ?? null;
}

/** Newest first. */
export async function listRuns(
  session: Session,
  filter: { readonly planId: string | null; readonly environment: string | null; readonly limit: number },
): Promise<readonly Run[]> {
  const where = and(
    filter.planId === null ? undefined : eq(runs.planId, filter.planId),
    filter.environment === null ? undefined : eq(runs.environment, filter.environment),
  );
  return selectRuns(session, where, filter.limit);
}

/**
 * One statement, hence one transaction and one round trip: an apply waits for it before and after each action. The
 * lease's row is locked as in `requireLease`, and nothing is written without it. Null if there is no such lease or run.
 */
export async function appendEvent(
  session: Session,
  channel: string,
  run: string,
  lease: Lease,
  at: string,
  event: RunHappening,
): Promise<RunEvent | null> {
  const { rows } = await session.execute<{ seq: number }>(sql`
    with held as (
      select ${leases.epoch} from ${leases}
       where ${leases.epoch} = ${lease.epoch} and ${leases.endedAt} is null for share
    ), numbered as (
      update ${runs} set last_seq = last_seq + 1
       where ${runs.id} = ${run} and exists (select from held) returning last_seq
    ), written as (
      insert into ${runEvents} (run, seq, at, kind, action, event)
      select ${run}, last_seq, ${at}::timestamptz, ${event.kind}, ${actionOf(event)}, ${toStored(event)} from numbered
      returning seq
    )
    select seq, pg_notify(${channel}, '') from written`);
  const [row] = rows;
  return row === undefined ? null : { run, seq: row.seq, at, event };
}

/** Appends to the run's journal, whose row in `runs` hands out the number: seen in order, without gaps. */
export async function writeEvent(session: Session, run: string, at: string, event: RunHappening): Promise<RunEvent> {
  const [row] = await session
    .update(runs)
    .set({ lastSeq: sql`${runs.lastSeq} + 1` })
    .where(eq(runs.id, run))
    .returning({ seq: runs.lastSeq });
  if (row === undefined) throw new AppError(problem("run_unknown", { run }));
  const { seq } = row;
  await session
    .insert(runEvents)
    .values({ run, seq, at, kind: event.kind, action: actionOf(event), event: toStored(event) });
  return { run, seq, at, event };
}

export async function readEvents(
  session: Session,
  run: string,
  after: number,
  limit: number,
): Promise<readonly RunEvent[]> {
  const rows = await session
    .select()
    .from(runEvents)
    .where(and(eq(runEvents.run, run), gt(runEvents.seq, after)))
    .orderBy(asc(runEvents.seq))
    .limit(limit);
  return rows.map(({ seq, at, event }) => ({
    run,
    seq,
    at,
    event: parseJson(`Event ${seq} of run ${run}`, event) as RunHappening,
  }));
}

export async function requestStop(session: Session, run: string, by: string, at: string): Promise<boolean> {
  const rows = await session
    .update(runs)
    .set({ state: "stopping" })
    .where(and(eq(runs.id, run), inArray(runs.state, ["running"])))
    .returning({ id: runs.id });
  if (rows.length === 0) return false;
  await writeEvent(session, run, at, { kind: "stop_requested", by });
  return true;
}

export async function setRun(
  session: Session,
  run: string,
  change: { readonly state?: RunState; readonly stage?: RunStage; readonly endedAt?: string | null },
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await session.update(runs).set(change).where(eq(runs.id, run));
}

async function selectRuns(session: Session, where: SQL | undefined, limit: number): Promise<readonly Run[]> {
  // Counted from the journal, so that the number can't disagree with it; an action recorded again counts once.
  const done = sql<number>`(select count(distinct ${runEvents.action})::int from ${runEvents}
    where ${runEvents.run} = ${runs.id} and ${runEvents.kind} = 'action_done')`;
  return session
    .select({
      id: runs.id,
      planId: runs.planId,
      project: runs.project,
      environment: runs.environment,
      state: runs.state,
      startedBy: runs.startedBy,
      startedAt: runs.startedAt,
      endedAt: runs.endedAt,
      stage: runs.stage,
      done,
      total: runs.total,
    })
    .from(runs)
    .where(where)
    .orderBy(desc(runs.position))
    .limit(limit);
}

function actionOf(event: RunHappening): string | null {
  return "action" in event ? event.action : null;
}
