import { and, asc, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Problem } from "../core/base/problem.ts";
import type { Job, JobRecords, NewJob } from "../ports/state-store.ts";
import { jobLock } from "./advisory-lock.ts";
import type { Database, OwnSession, Session } from "./database.ts";
import { fromStoredList, toStored } from "./stored-json.ts";
import { jobs } from "./tables.ts";

type JobRow = typeof jobs.$inferSelect;

export interface HeldJobs extends Omit<JobRecords, "waitForChange"> {
  readonly endAll: () => Promise<void>;
}

const OPEN = ["waiting", "working"] as const;

/** A claim is an advisory lock in a session of its own: a job whose worker died is open again at once. */
export function openJobs(database: Database): HeldJobs {
  const { schema } = database.settings;
  const sessions = new Map<string, OwnSession>();
  /** Kept between claims that found nothing, since a worker asks often. */
  let spare: OwnSession | null = null;

  const claimJob = async (worker: string): Promise<Job | null> => {
    const session = spare ?? (await database.openSession());
    spare = null;
    let job: Job | null = null;
    try {
      job = await session.writeQuietly((own) => claim(own, schema, worker));
    } catch (error) {
      await session.end();
      throw error;
    }
    if (job === null) await putBack(session);
    else sessions.set(job.id, session);
    return job;
  };

  const putBack = async (session: OwnSession): Promise<void> => {
    if (spare === null) spare = session;
    else await session.end();
  };

  const finishJob: JobRecords["finishJob"] = async (id, { state, problems, run }) => {
    const changes = { state, problems: toStored(problems), run };
    await database.write((session) =>
      session
        .update(jobs)
        .set(changes)
        .where(and(eq(jobs.id, id), inArray(jobs.state, [...OPEN]))),
    );
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.end();
  };

  const endAll = async (): Promise<void> => {
    const all = [...sessions.values(), ...(spare === null ? [] : [spare])];
    sessions.clear();
    spare = null;
    await Promise.all(all.map((session) => session.end()));
  };

  return {
    enqueueJob: (job) => database.write((session) => enqueue(session, job)),
    claimJob,
    finishJob,
    readJob: (id) => database.read((session) => readJob(session, id)),
    endAll,
  };
}

async function enqueue(session: Session, job: NewJob): Promise<{ job: Job; existing: boolean }> {
  // The open job that stopped the insert may be finished before it is read; then there is room for a new one.
  for (;;) {
    const [added] = await session
      .insert(jobs)
      .values({ ...job, state: "waiting" })
      .onConflictDoNothing({ target: jobs.planId, where: inArray(jobs.state, [...OPEN]) })
      .returning();
    if (added !== undefined) return { job: toJob(added), existing: false };
    const [open] = await session
      .select()
      .from(jobs)
      .where(and(eq(jobs.planId, job.planId), inArray(jobs.state, [...OPEN])));
    if (open !== undefined) return { job: toJob(open), existing: true };
  }
}

async function claim(session: Session, schema: string, worker: string): Promise<Job | null> {
  const tried: string[] = [];
  for (;;) {
    const [row] = await session
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(inArray(jobs.state, [...OPEN]), tried.length === 0 ? undefined : notInArray(jobs.id, tried)))
      .orderBy(asc(jobs.position))
      .limit(1)
      .for("update", { skipLocked: true });
    if (row === undefined) return null;
    const { rows } = await session.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_lock(${jobLock(schema, row.id)}) as mine`,
    );
    if (rows[0]?.mine === true) {
      const [claimed] = await session
        .update(jobs)
        .set({ state: "working", worker })
        .where(eq(jobs.id, row.id))
        .returning();
      return claimed === undefined ? null : toJob(claimed);
    }
    tried.push(row.id);
  }
}

async function readJob(session: Session, id: string): Promise<Job | null> {
  const [row] = await session.select().from(jobs).where(eq(jobs.id, id));
  return row === undefined ? null : toJob(row);
}

function toJob(row: JobRow): Job {
  const { id, kind, planId, requestedBy, at, state, run } = row;
  const problems = fromStoredList<Problem>(`Job ${id}`, row.problems);
  return { id, kind, planId, requestedBy, at, state, run, problems };
}
