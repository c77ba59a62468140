import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { Run, RunEvent } from "../core/stage/run.ts";
import type { Services } from "./services.ts";

/** @throws AppError `run_unknown`. */
export async function readRun(services: Pick<Services, "state">, id: string): Promise<Run> {
  const run = await services.state.readRun(id);
  if (run === null) throw new AppError(problem("run_unknown", { run: id }));
  return run;
}

export async function listRuns(
  services: Pick<Services, "state">,
  filter: { readonly planId: string | null; readonly environment: string | null; readonly limit: number },
): Promise<readonly Run[]> {
  return services.state.listRuns(filter);
}

export interface FollowRequest {
  readonly run: string;
  /** Last event the reader has; 0 for all of them. */
  readonly after: number;
  readonly signal: { readonly aborted: boolean };
}

const PAGE = 500;
const LONGEST_WAIT_MS = 1_000;

/** Every event after `after`, those of the past first, then live, until the run has ended or the signal fires. */
export async function* followRun(
  services: Pick<Services, "state">,
  request: FollowRequest,
): AsyncGenerator<RunEvent, void> {
  let after = request.after;
  while (!request.signal.aborted) {
    // Read before the events: a run seen as ended here can't grow events that the page below misses.
    const run = await readRun(services, request.run);
    const events = await services.state.readEvents(request.run, after, PAGE);
    for (const event of events) {
      yield event;
      after = event.seq;
    }
    if (events.length === PAGE) continue;
    if (run.state !== "running" && run.state !== "stopping") return;
    await services.state.waitForChange(LONGEST_WAIT_MS);
  }
}
