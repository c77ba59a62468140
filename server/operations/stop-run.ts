import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { readRun } from "./read-run.ts";
import type { Services } from "./services.ts";

/**
 * Asks a run to stop at its next safe point; what is done stays done and the run can be resumed.
 * @throws AppError `run_unknown`, `run_not_running`.
 */
export async function stopRun(
  services: Pick<Services, "state" | "clock">,
  request: { readonly run: string; readonly by: string },
): Promise<void> {
  const run = await readRun(services, request.run);
  const asked = await services.state.requestStop(request.run, request.by, services.clock.now());
  if (!asked) throw new AppError(problem("run_not_running", { run: run.id, state: run.state }));
}
