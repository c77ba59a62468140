import type { Problem } from "../core/base/problem.ts";
import type { Log } from "../ports/ambient.ts";
import type { Lease, StateStore } from "../ports/state-store.ts";
import { readArtefact, saveArtefact } from "./artefact-records.ts";
import { openChangeFeed } from "./change-feed.ts";
import { type StateConnection, sessionSettings } from "./connection.ts";
import { changeChannel, type Database, openDatabase, type Session } from "./database.ts";
import { decide, readDecisions } from "./decision-records.ts";
import {
  listEnvironments,
  readProjectEnvironments,
  readStateFacts,
  type WarnUnreadable,
} from "./environment-records.ts";
import { openJobs } from "./job-records.ts";
import { openLeases, requireLease } from "./lease-records.ts";
import { findMigrations, migrate } from "./migrate.ts";
import { findPlan, listPlans, movePlan, nextSubmission, savePlan } from "./plan-records.ts";
import { finalise, readIntent, recordIntent } from "./promotion-records.ts";
import {
  appendEvent,
  listRuns,
  readEvents,
  readRun,
  requestStop,
  setRun,
  startRun,
  writeEvent,
} from "./run-records.ts";
import { readSnapshots, saveSnapshots } from "./snapshot-records.ts";
import { checkFormat, STATE_FORMAT, stateNewer } from "./state-format.ts";
import { readVersionsUsedBy, saveVersions } from "./version-records.ts";

export interface StateStoreOptions {
  readonly connection: StateConnection;
  readonly schema?: string;
  readonly applicationName?: string;
  /** Where the generated migrations lie; found by itself within the package. */
  readonly migrationsFolder?: string;
  /** How long an upgrade waits for running applies: a minute unless said. */
  readonly upgradePatienceMs?: number;
  /** Told about stored rows that can't be read and aren't needed. */
  readonly log?: Pick<Log, "warn">;
}

export const STATE_SCHEMA = "weir";

const UPGRADE_PATIENCE_MS = 60_000;

/**
 * Opens our own database; tables are set up by `migrate`, until then other methods throw `state_not_set_up`.
 * @throws AppError `state_unreachable`, `state_newer`.
 */
export async function openStateStore(options: StateStoreOptions): Promise<StateStore> {
  const settings = sessionSettings(
    options.connection,
    options.schema ?? STATE_SCHEMA,
    options.applicationName ?? "weir state",
  );
  const database = openDatabase(settings);
  try {
    const { minWriter } = await database.read((session) => checkFormat(session, settings));
    return assemble(minWriter > STATE_FORMAT ? readOnly(database, minWriter) : database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

function assemble(database: Database, options: StateStoreOptions): StateStore {
  const { read, readAtOnce, write, writeAlone } = database;
  const { schema } = database.settings;
  const leases = openLeases(database);
  const jobs = openJobs(database);
  const feed = openChangeFeed(database);
  let closed: Promise<void> | null = null;
  const warn: WarnUnreadable = (error) => {
    for (const each of error.problems) options.log?.warn(each.code, fieldsOf(each));
  };
  const writeUnder = <T>(lease: Lease, work: (session: Session) => Promise<T>): Promise<T> =>
    write(async (session) => {
      await requireLease(session, lease);
      return work(session);
    });
  return {
    migrate: () =>
      migrate(database, {
        folder: options.migrationsFolder ?? findMigrations(),
        patienceMs: options.upgradePatienceMs ?? UPGRADE_PATIENCE_MS,
      }),
    close: () => {
      closed ??= Promise.all([leases.endAll(), jobs.endAll(), feed.end()]).then(database.close);
      return closed;
    },

    readStateFacts: (project, environment, models) =>
      readAtOnce((session) => readStateFacts(session, warn, project, environment, models)),
    listEnvironments: (project) => read((session) => listEnvironments(session, warn, project)),
    readSnapshots: (ids) => read((session) => readSnapshots(session, ids)),
    readVersions: (project, models) =>
      readAtOnce(async (session) =>
        readVersionsUsedBy(session, project, models, await readProjectEnvironments(session, project)),
      ),
    saveArtefact: (hash, rows) => write((session) => saveArtefact(session, hash, rows)),
    readArtefact: (hash) => read((session) => readArtefact(session, hash)),

    savePlan: (plan) => write((session) => savePlan(session, schema, plan)),
    nextSubmission: (project, environment) => write((session) => nextSubmission(session, project, environment)),
    findPlan: (id) => read((session) => findPlan(session, id)),
    listPlans: (filter) => read((session) => listPlans(session, warn, filter)),
    movePlan: (id, from, to, why) => write((session) => movePlan(session, id, from, to, why)),
    decide: (decision) => write((session) => decide(session, decision)),
    readDecisions: (planId) => read((session) => readDecisions(session, planId)),

    startRun: (run) => write((session) => startRun(session, run)),
    readRun: (id) => read((session) => readRun(session, id)),
    listRuns: (filter) => read((session) => listRuns(session, filter)),
    appendEvent: async (run, lease, at, event) => {
      const written = await writeAlone((session) => appendEvent(session, changeChannel(schema), run, lease, at, event));
      // Not written: the ordinary way says why, or writes after all.
      return written ?? writeUnder(lease, (session) => writeEvent(session, run, at, event));
    },
    readEvents: (run, after, limit) => read((session) => readEvents(session, run, after, limit)),
    requestStop: (run, by, at) => write((session) => requestStop(session, run, by, at)),
    setRun: (run, change) => write((session) => setRun(session, run, change)),
    recordIntent: (run, lease, promotion, digest) =>
      writeUnder(lease, (session) => recordIntent(session, run, promotion, digest)),
    finalise: (outcome) => writeUnder(outcome.lease, (session) => finalise(session, outcome)),
    recordVersions: (run, lease, versions, snapshots) =>
      writeUnder(lease, async (session) => {
        await saveSnapshots(session, snapshots);
        await saveVersions(session, run, versions);
      }),
    readIntent: (project, environment) => read((session) => readIntent(session, project, environment)),

    acquireLease: leases.acquireLease,
    releaseLease: leases.releaseLease,

    enqueueJob: jobs.enqueueJob,
    claimJob: jobs.claimJob,
    finishJob: jobs.finishJob,
    readJob: jobs.readJob,
    waitForChange: feed.wait,
  };
}

/** For a program that is too old to write here and new enough to read. */
function readOnly(database: Database, minWriter: number): Database {
  const refuse = (): Promise<never> => Promise.reject(stateNewer(minWriter));
  return { ...database, write: refuse, writeQuietly: refuse, writeAlone: refuse, openSession: refuse };
}

function fieldsOf({ code: _, ...fields }: Problem): Readonly<Record<string, unknown>> {
  return fields;
}
