import type { Environment } from "../core/environment/environment.ts";
import type { PlanState } from "../core/plan/plan.ts";
import type { PlanView } from "../core/review/plan-view.ts";
import type { Decision } from "../core/review/review.ts";
import type { Run, RunEvent } from "../core/stage/run.ts";
import type { InspectedEnvironment } from "../operations/inspect-environment.ts";
import type { Job } from "../ports/state-store.ts";

/** What the screens may ask for: the operations, already bound to one project and its services. */
export interface Operations {
  readonly listPlans: (filter: PlanListFilter) => Promise<readonly ShownPlan[]>;
  /** By whole id or a unique beginning. */
  readonly showPlan: (id: string) => Promise<ShownPlan>;
  readonly decidePlan: (request: DecideInput) => Promise<Decision>;
  readonly requestApply: (request: { readonly planId: string; readonly by: string }) => Promise<Job>;
  readonly readJob: (id: string) => Promise<Job | null>;
  readonly listRuns: (filter: RunFilter) => Promise<readonly Run[]>;
  readonly readRun: (id: string) => Promise<Run>;
  /** Everything that has happened in a run so far. */
  readonly readJournal: (run: string) => Promise<readonly RunEvent[]>;
  readonly followRun: (request: FollowInput) => AsyncIterable<RunEvent>;
  readonly stopRun: (request: { readonly run: string; readonly by: string }) => Promise<void>;
  readonly listEnvironments: () => Promise<readonly Environment[]>;
  readonly inspectEnvironment: (name: string) => Promise<InspectedEnvironment>;
}

export interface PlanListFilter {
  readonly environment: string | null;
  readonly states: readonly PlanState[] | null;
  readonly limit: number;
}

export interface RunFilter {
  readonly planId: string | null;
  readonly environment: string | null;
  readonly limit: number;
}

export interface DecideInput {
  readonly planId: string;
  readonly digest: string;
  readonly verdict: "approve" | "reject";
  readonly reason: string | null;
  readonly by: string;
}

export interface FollowInput {
  readonly run: string;
  /** Last event the reader has; 0 for all of them. */
  readonly after: number;
  readonly signal: { readonly aborted: boolean };
}

/** A plan as screens show it, with what has been decided and done about it since. */
export interface ShownPlan {
  readonly view: PlanView;
  readonly state: PlanState;
  readonly stateBy: string | null;
  readonly stateAt: string;
  readonly stateReason: string | null;
  readonly moved: readonly string[];
  readonly supersededBy: string | null;
  readonly decisions: readonly Decision[];
  readonly runs: readonly Run[];
}
