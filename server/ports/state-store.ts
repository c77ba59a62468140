import type { Hash } from "../core/base/hash.ts";
import type { Problem } from "../core/base/problem.ts";
import type { Environment, KnownVersion } from "../core/environment/environment.ts";
import type { ModelKey } from "../core/model/model-name.ts";
import type { StateFacts } from "../core/plan/facts.ts";
import type { Plan, PlanState } from "../core/plan/plan.ts";
import type { Decision } from "../core/review/review.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { Run, RunEvent, RunHappening, RunStage, RunState } from "../core/stage/run.ts";
import type { SeedRows } from "./project-source.ts";

/** Our own database. Every method is one transaction; conditional writes say whether they took effect. */
export interface StateStore extends EnvironmentRecords, PlanRecords, RunRecords, LeaseRecords, JobRecords {
  /** Brings the schema up to date under an advisory lock; refuses a newer one. */
  readonly migrate: () => Promise<{ readonly applied: number }>;
  readonly close: () => Promise<void>;
}

export interface EnvironmentRecords {
  /** Everything a plan of `environment` needs, read in one snapshot. Unknown environments come back empty, promotion 0. */
  readonly readStateFacts: (project: string, environment: string, models: readonly ModelKey[]) => Promise<StateFacts>;
  readonly listEnvironments: (project: string | null) => Promise<readonly Environment[]>;
  readonly readSnapshots: (ids: readonly Hash[]) => Promise<ReadonlyMap<Hash, Snapshot>>;
  readonly readVersions: (project: string, models: readonly ModelKey[]) => Promise<readonly KnownVersion[]>;
  readonly saveArtefact: (hash: Hash, rows: SeedRows) => Promise<void>;
  readonly readArtefact: (hash: Hash) => Promise<SeedRows | null>;
}

export interface PlanRecords {
  /**
   * Saves a plan as open and marks open and approved plans of the same author, environment and folder as superseded.
   * If an open or approved plan has the same effects but for the submission number, returns that one and saves nothing.
   */
  readonly savePlan: (plan: Plan) => Promise<{ readonly record: PlanRecord; readonly existing: boolean }>;
  /** The next submission number for a target, so that no digest recurs. */
  readonly nextSubmission: (project: string, environment: string) => Promise<number>;
  /** By whole id or a unique beginning. */
  readonly findPlan: (id: string) => Promise<PlanRecord | null>;
  readonly listPlans: (filter: PlanFilter) => Promise<readonly PlanRecord[]>;
  /** Moves a plan to another state only from one of `from`. */
  readonly movePlan: (id: string, from: readonly PlanState[], to: PlanState, why: PlanStateNote) => Promise<boolean>;
  /** One conditional write: false and the standing decision when somebody was first. */
  readonly decide: (decision: Decision) => Promise<{ readonly taken: boolean; readonly standing: Decision }>;
  readonly readDecisions: (planId: string) => Promise<readonly Decision[]>;
}

export interface PlanRecord {
  readonly plan: Plan;
  readonly state: PlanState;
  readonly stateBy: string | null;
  readonly stateAt: string;
  readonly stateReason: string | null;
  /** What moved, for stale ones. */
  readonly moved: readonly string[];
  /** The one that came in its place, for superseded ones. */
  readonly supersededBy: string | null;
}

export interface PlanStateNote {
  readonly by: string;
  readonly at: string;
  readonly reason: string | null;
  readonly moved: readonly string[];
}

export interface PlanFilter {
  readonly project: string | null;
  readonly environment: string | null;
  readonly states: readonly PlanState[] | null;
  readonly limit: number;
}

export interface RunRecords {
  /** Starts a run of an approved plan: plan to applying, run and its first event, in one transaction; null if it wasn't approved. */
  readonly startRun: (run: NewRun) => Promise<Run | null>;
  readonly readRun: (id: string) => Promise<Run | null>;
  readonly listRuns: (filter: {
    readonly planId: string | null;
    readonly environment: string | null;
    readonly limit: number;
  }) => Promise<readonly Run[]>;
  /** Appends to the journal under the lease: throws a lost lease rather than writing beside its new holder. */
  readonly appendEvent: (run: string, lease: Lease, at: string, event: RunHappening) => Promise<RunEvent>;
  readonly readEvents: (run: string, after: number, limit: number) => Promise<readonly RunEvent[]>;
  /** Only of a running one; recorded in its journal too. */
  readonly requestStop: (run: string, by: string, at: string) => Promise<boolean>;
  readonly setRun: (
    run: string,
    change: { readonly state?: RunState; readonly stage?: RunStage; readonly endedAt?: string | null },
  ) => Promise<void>;
  /** Before the promotion transaction: what is about to become true. Resolved by the warehouse's marker after a crash. */
  readonly recordIntent: (run: string, lease: Lease, promotion: number, digest: Hash) => Promise<void>;
  /**
   * After it, in one transaction: snapshots and versions saved, environment moved to `environment.promotion`
   * (only from the one before), intent closed, plan applied, `events` appended to the run's journal and the run ended
   * as applied; other open plans are left as they are. Again for the same plan: nothing, and no events.
   */
  readonly finalise: (outcome: FinalisedRun) => Promise<readonly RunEvent[]>;
  /**
   * Versions that the plan is about to build are recorded before the first of them exists, so that none can be
   * orphaned, and again whenever their rows begin or cease to be reliable. Recorded as given, but for who uses them.
   */
  readonly recordVersions: (
    run: string,
    lease: Lease,
    versions: readonly KnownVersion[],
    snapshots: readonly Snapshot[],
  ) => Promise<void>;
  readonly readIntent: (project: string, environment: string) => Promise<Intent | null>;
}

export interface NewRun {
  readonly id: string;
  readonly plan: Plan;
  readonly by: string;
  readonly at: string;
}

export interface Intent {
  readonly run: string;
  readonly planId: string;
  readonly promotion: number;
  readonly digest: Hash;
}

export interface FinalisedRun {
  readonly run: string;
  readonly lease: Lease;
  readonly plan: Plan;
  readonly environment: Environment;
  readonly versions: readonly KnownVersion[];
  readonly at: string;
  /** Last of the run's journal, so that nobody who follows it sees the run ended and its journal not. */
  readonly events: readonly RunHappening[];
}

export interface LeaseRecords {
  /** All or none of `scopes`, in name order. A scope whose holder's session is gone is free at once. */
  readonly acquireLease: (request: LeaseRequest) => Promise<LeaseOutcome>;
  readonly releaseLease: (lease: Lease) => Promise<void>;
}

export interface LeaseRequest {
  readonly scopes: readonly string[];
  /** `run r_… by ilse on laptop, pid 4711`. */
  readonly holder: string;
  readonly run: string;
}

export interface Lease {
  readonly run: string;
  readonly scopes: readonly string[];
  /** Rises with every change of hands; writes of a lower one are refused. */
  readonly epoch: number;
}

export type LeaseOutcome =
  | { readonly ok: true; readonly lease: Lease }
  | {
      readonly ok: false;
      readonly scope: string;
      readonly holder: string;
      readonly since: string;
      readonly run: string;
    };

/** Work that the server hands to its worker. A job whose worker died is claimed again: its claim is a session lock. */
export interface JobRecords {
  /** One open job a plan: a second request answers with the first. */
  readonly enqueueJob: (job: NewJob) => Promise<{ readonly job: Job; readonly existing: boolean }>;
  readonly claimJob: (worker: string) => Promise<Job | null>;
  readonly finishJob: (
    id: string,
    outcome: { readonly state: "done" | "failed"; readonly problems: readonly Problem[]; readonly run: string | null },
  ) => Promise<void>;
  readonly readJob: (id: string) => Promise<Job | null>;
  /** Resolves when something may have changed, or after `ms`: a hint, never a promise. Claims wake nobody. */
  readonly waitForChange: (ms: number) => Promise<void>;
}

export interface NewJob {
  readonly id: string;
  readonly kind: "apply";
  readonly planId: string;
  readonly requestedBy: string;
  readonly at: string;
}

export interface Job extends NewJob {
  readonly state: "waiting" | "working" | "done" | "failed";
  readonly run: string | null;
  readonly problems: readonly Problem[];
}
