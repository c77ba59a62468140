import { decidePlan } from "../operations/decide-plan.ts";
import { inspectEnvironment } from "../operations/inspect-environment.ts";
import { listEnvironments } from "../operations/list-environments.ts";
import { followRun, listRuns, readRun } from "../operations/read-run.ts";
import { requestApply } from "../operations/request-apply.ts";
import type { ProjectPlace, Services } from "../operations/services.ts";
import { listPlans, type ShownPlan as Shown, showPlan } from "../operations/show-plan.ts";
import { stopRun } from "../operations/stop-run.ts";
import type { Operations, ShownPlan } from "./operations.ts";

export interface BoundProject {
  readonly place: ProjectPlace;
  /** As the configuration spells it; may be empty. */
  readonly name: string;
}

/** Longer ones arrive by following: this is for the first paint. */
const JOURNAL_LIMIT = 5_000;

/** The operations for one project, as the screens ask for them. */
export function bindOperations(services: Services, { place, name }: BoundProject): Operations {
  const shown = ({ record, ...rest }: Shown): ShownPlan => ({ ...record, ...rest });
  return {
    listPlans: async (filter) => (await listPlans(services, { ...filter, project: name })).map(shown),
    showPlan: async (id) => shown(await showPlan(services, id)),
    decidePlan: (request) => decidePlan(services, { ...request, how: "review" }),
    requestApply: (request) => requestApply(services, request),
    readJob: (id) => services.state.readJob(id),
    listRuns: (filter) => listRuns(services, filter),
    readRun: (id) => readRun(services, id),
    readJournal: (run) => services.state.readEvents(run, 0, JOURNAL_LIMIT),
    followRun: (request) => followRun(services, request),
    stopRun: (request) => stopRun(services, request),
    listEnvironments: () => listEnvironments(services, name),
    inspectEnvironment: (environment) => inspectEnvironment(services, place, environment),
  };
}
