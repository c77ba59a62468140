import process from "node:process";
import { openServices } from "../compose.ts";
import { logLines } from "../log-lines.ts";
import type { StopSignal } from "../operations/apply-plan.ts";
import { workOnJobs } from "./work-on-jobs.ts";
import { WORKER_REQUEST, workerRequestSchema } from "./worker-request.ts";

// The server's one child: carries out plans, so that a run may use memory and time, and be killed, without the pages.

const log = logLines("worker");
const { place, stateUrl, project, promotionPatienceMs } = workerRequestSchema.parse(
  JSON.parse(process.env[WORKER_REQUEST] ?? "null"),
);
const listeners: (() => void)[] = [];
let aborted = false;
const stop = () => {
  if (aborted) return;
  aborted = true;
  for (const listener of listeners) listener();
};
const signal: StopSignal = {
  get aborted() {
    return aborted;
  },
  onAbort: (listener) => void listeners.push(listener),
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
// The server is gone, however it went: finish safely and go, too.
process.once("disconnect", stop);

const services = await openServices({ place, stateUrl, environment: process.env, log });
try {
  process.send?.("ready");
  await workOnJobs(services, { place, project, name: `worker pid ${process.pid}`, promotionPatienceMs }, signal);
} finally {
  await services.close();
}
process.exit(0);
