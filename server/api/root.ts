import { inspectEnvironment } from "./environments/inspect-environment.ts";
import { listEnvironments } from "./environments/list-environments.ts";
import { decidePlan } from "./plans/decide-plan.ts";
import { listPlans } from "./plans/list-plans.ts";
import { readDefinition } from "./plans/read-definition.ts";
import { readJob } from "./plans/read-job.ts";
import { readStanding } from "./plans/read-standing.ts";
import { showPlan } from "./plans/show-plan.ts";
import { startPlan } from "./plans/start-plan.ts";
import { followRun } from "./runs/follow-run.ts";
import { listRuns } from "./runs/list-runs.ts";
import { readJournal } from "./runs/read-journal.ts";
import { readRun } from "./runs/read-run.ts";
import { stopRun } from "./runs/stop-run.ts";
import { findNames } from "./system/find-names.ts";
import { readStatus } from "./system/read-status.ts";
import { createCallerFactory, router } from "./trpc.ts";

export const appRouter = router({
  plans: router({
    list: listPlans,
    show: showPlan,
    standing: readStanding,
    definition: readDefinition,
    decide: decidePlan,
    start: startPlan,
    job: readJob,
  }),
  runs: router({ list: listRuns, read: readRun, journal: readJournal, follow: followRun, stop: stopRun }),
  environments: router({ list: listEnvironments, inspect: inspectEnvironment }),
  system: router({ status: readStatus, find: findNames }),
});

export type AppRouter = typeof appRouter;

export const createCaller = createCallerFactory(appRouter);
