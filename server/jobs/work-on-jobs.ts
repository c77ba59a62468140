import { AppError } from "../core/base/app-error.ts";
import { type Problem, problem } from "../core/base/problem.ts";
import { applyPlan, type StopSignal } from "../operations/apply-plan.ts";
import { findPlan } from "../operations/find-plan.ts";
import type { ProjectPlace, Services } from "../operations/services.ts";
import type { Job } from "../ports/state-store.ts";

export interface WorkerSettings {
  readonly place: ProjectPlace;
  /** Of the project at `place`: plans of another one are refused, their warehouse isn't ours to find. */
  readonly project: string;
  /** Who claims: `worker pid 4711`. */
  readonly name: string;
  readonly promotionPatienceMs: number;
}

const LOOK_AGAIN_MS = 1_000;

/** Claims jobs one after another until the signal fires; a run under way is then stopped at its next safe point. */
export async function workOnJobs(services: Services, settings: WorkerSettings, signal: StopSignal): Promise<void> {
  while (!signal.aborted) {
    const job = await services.state.claimJob(settings.name);
    if (job === null) await services.state.waitForChange(LOOK_AGAIN_MS);
    else await workOn(services, settings, job, signal);
  }
}

async function workOn(services: Services, settings: WorkerSettings, job: Job, signal: StopSignal): Promise<void> {
  services.log.info("job_claimed", { job: job.id, plan: job.planId });
  // Only a run that this attempt wrote to: a refusal has none, even where an earlier attempt had.
  let touched: string | null = null;
  try {
    await refuseOtherProjects(services, settings, job);
    const { run, line } = await applyPlan(services, {
      planId: job.planId,
      place: settings.place,
      by: job.requestedBy,
      resume: true,
      onEvent: (event) => {
        touched = event.run;
      },
      signal,
      promotionPatienceMs: settings.promotionPatienceMs,
    });
    await services.state.finishJob(job.id, { state: "done", problems: [], run: run.id });
    services.log.info("job_done", { job: job.id, run: run.id, line });
  } catch (error) {
    const problems = problemsOf(error);
    services.log.warn("job_failed", { job: job.id, problems: problems.map((each) => each.code), error: String(error) });
    await services.state.finishJob(job.id, { state: "failed", problems, run: touched });
  }
}

async function refuseOtherProjects(services: Services, { project }: WorkerSettings, job: Job): Promise<void> {
  const { plan } = await findPlan(services, job.planId);
  const { target } = plan.effects;
  if (target.project === project) return;
  const reason = `Plan ${plan.id} is of project "${target.project}", and this server serves "${project}". Start it from its own project.`;
  throw new AppError(problem("usage_invalid", { reason }));
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof AppError) return error.problems;
  return [problem("internal_error", { message: error instanceof Error ? error.message : String(error) })];
}
