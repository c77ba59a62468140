import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { KindTag } from "../core/model/model-kind.ts";
import type { PlanState } from "../core/plan/plan.ts";
import type { Decision } from "../core/review/review.ts";
import type { RunHappening, RunStage, RunState } from "../core/stage/run.ts";
import type { Job, NewJob } from "../ports/state-store.ts";
import { instant } from "./column-types.ts";

/**
 * Our own database. No table names a schema: every session of ours has exactly one schema in its search_path, so that
 * one set of migrations serves any schema name. Migrations in `drizzle/` are generated from this file.
 * Values that belong to core are stored whole as canonical JSON in text columns: jsonb would lose order and numbers'
 * spelling, and a digest must be computable again from what is stored. What we search by is a column of its own.
 */

export const projects = pgTable("projects", {
  name: text().primaryKey(),
  createdAt: instant().notNull().default(sql`now()`),
});

/** Immutable and shared by all projects: equal content, equal id. */
export const snapshots = pgTable("snapshots", {
  id: text().primaryKey(),
  model: text().notNull(),
  format: text().notNull(),
  body: text().notNull(),
});

/** One row for each key that a physical object was ever decided under; who uses it is computed, never stored. */
export const versions = pgTable(
  "versions",
  {
    project: text()
      .notNull()
      .references(() => projects.name),
    model: text().notNull(),
    lookupKey: text().notNull(),
    version: text().notNull(),
    /** Order in which versions became known. */
    position: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    kind: text().notNull().$type<KindTag>(),
    partitionedBy: text().notNull(),
    relationSchema: text().notNull(),
    relationName: text().notNull(),
    definition: text().notNull(),
    content: text().notNull(),
    columns: text().notNull(),
    pristine: boolean().notNull(),
    filled: boolean().notNull(),
    preview: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project, table.model, table.lookupKey, table.version] })],
);

/** Append-only: each state that a version was recorded in. */
export const versionHistory = pgTable(
  "version_history",
  {
    position: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    project: text().notNull(),
    model: text().notNull(),
    lookupKey: text().notNull(),
    version: text().notNull(),
    run: text().notNull(),
    at: instant().notNull().default(sql`now()`),
    body: text().notNull(),
  },
  (table) => [index("version_history_version").on(table.project, table.model, table.version)],
);

export const environments = pgTable(
  "environments",
  {
    project: text()
      .notNull()
      .references(() => projects.name),
    name: text().notNull(),
    /** Age: the oldest environment that uses a version owns it. */
    position: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    promotion: integer().notNull(),
    planId: text(),
    promotedAt: instant(),
    models: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project, table.name] })],
);

export const environmentHistory = pgTable(
  "environment_history",
  {
    project: text().notNull(),
    environment: text().notNull(),
    promotion: integer().notNull(),
    planId: text(),
    run: text().notNull(),
    at: instant().notNull(),
    models: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project, table.environment, table.promotion] })],
);

/** The last submission number given out for a target, so that no digest recurs. */
export const submissions = pgTable(
  "submissions",
  {
    project: text()
      .notNull()
      .references(() => projects.name),
    environment: text().notNull(),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project, table.environment] })],
);

export const plans = pgTable(
  "plans",
  {
    id: text().primaryKey(),
    position: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    digest: text().notNull().unique(),
    format: integer().notNull(),
    project: text()
      .notNull()
      .references(() => projects.name),
    environment: text().notNull(),
    author: text().notNull(),
    folder: text().notNull(),
    /** Hash of the effects without the submission number. */
    effectsKey: text().notNull(),
    effects: text().notNull(),
    context: text().notNull(),
    state: text().notNull().$type<PlanState>(),
    stateBy: text(),
    stateAt: instant().notNull(),
    stateReason: text(),
    moved: text().notNull().default("[]"),
    supersededBy: text(),
  },
  (table) => [
    // Of equal plans only one waits at a time.
    uniqueIndex("plans_waiting").on(table.effectsKey).where(sql`${table.state} in ('open', 'approved')`),
    index("plans_target").on(table.project, table.environment, table.state),
  ],
);

/** Append-only: every change of a plan's state. */
export const planEvents = pgTable(
  "plan_events",
  {
    position: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    planId: text()
      .notNull()
      .references(() => plans.id),
    state: text().notNull().$type<PlanState>(),
    by: text().notNull(),
    at: instant().notNull(),
    reason: text(),
    moved: text().notNull().default("[]"),
  },
  (table) => [index("plan_events_plan").on(table.planId)],
);

/** The primary key is what makes a decision unique: of twenty that arrive together one is written. */
export const decisions = pgTable("decisions", {
  planId: text()
    .primaryKey()
    .references(() => plans.id),
  digest: text().notNull(),
  units: text().notNull(),
  verdict: text().notNull().$type<Decision["verdict"]>(),
  by: text().notNull(),
  at: instant().notNull(),
  reason: text(),
  how: text().notNull().$type<Decision["how"]>(),
});

export const runs = pgTable(
  "runs",
  {
    id: text().primaryKey(),
    position: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** A plan is carried out by one run; resuming goes on with it. */
    planId: text()
      .notNull()
      .unique()
      .references(() => plans.id),
    project: text().notNull(),
    environment: text().notNull(),
    state: text().notNull().$type<RunState>(),
    startedBy: text().notNull(),
    startedAt: instant().notNull(),
    endedAt: instant(),
    stage: text().$type<RunStage>(),
    total: integer().notNull(),
    /** Counts this run's events. Raised by the statement that appends one, whose row lock makes the numbers appear in order. */
    lastSeq: integer().notNull(),
  },
  (table) => [index("runs_environment").on(table.environment)],
);

export const runEvents = pgTable(
  "run_events",
  {
    run: text()
      .notNull()
      .references(() => runs.id),
    seq: integer().notNull(),
    at: instant().notNull(),
    kind: text().notNull().$type<RunHappening["kind"]>(),
    action: text(),
    event: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.run, table.seq] }),
    index("run_events_done").on(table.run, table.action).where(sql`${table.kind} = 'action_done'`),
  ],
);

export const intents = pgTable(
  "intents",
  {
    project: text().notNull(),
    environment: text().notNull(),
    run: text()
      .notNull()
      .references(() => runs.id),
    promotion: integer().notNull(),
    digest: text().notNull(),
    at: instant().notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.project, table.environment] })],
);

/**
 * One row for each time that scopes changed hands. The epoch comes from one sequence, taken while the scopes are
 * locked, so that it is larger than any that they had. A lease is alive while `ended_at` is null and its holder's
 * session lock is held; nobody has to renew anything.
 */
export const leases = pgTable("leases", {
  epoch: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  run: text().notNull(),
  holder: text().notNull(),
  since: instant().notNull().default(sql`now()`),
  endedAt: instant(),
});

export const leaseScopes = pgTable("lease_scopes", {
  scope: text().primaryKey(),
  /** The lease that had it last. */
  epoch: bigint({ mode: "number" }).references(() => leases.epoch),
});

export const jobs = pgTable(
  "jobs",
  {
    id: text().primaryKey(),
    position: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    kind: text().notNull().$type<NewJob["kind"]>(),
    planId: text()
      .notNull()
      .references(() => plans.id),
    requestedBy: text().notNull(),
    at: instant().notNull(),
    state: text().notNull().$type<Job["state"]>(),
    worker: text(),
    run: text(),
    problems: text().notNull().default("[]"),
  },
  (table) => [uniqueIndex("jobs_open").on(table.planId).where(sql`${table.state} in ('waiting', 'working')`)],
);

/** Rows of seeds by content hash. The only table that holds data of the warehouse. */
export const artefacts = pgTable("artefacts", {
  hash: text().primaryKey(),
  columns: text().notNull(),
  rows: text().notNull(),
});

/** One row: which programs may still read and write here. */
export const stateFormat = pgTable("state_format", {
  only: boolean().primaryKey().default(true),
  minReader: integer().notNull(),
  minWriter: integer().notNull(),
});
