import { type ChildProcess, spawn } from "node:child_process";
import type { WorkerStatus } from "./api/door.ts";

export interface WorkerOptions {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** First and longest pause before a dead worker is started again. */
  readonly backOffMs: { readonly first: number; readonly longest: number };
  /** After this long a stopping worker is killed. */
  readonly graceMs: number;
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly now: () => Date;
}

export interface WorkerProcess {
  readonly status: () => WorkerStatus;
  readonly stop: () => Promise<void>;
}

const STEADY_MS = 60_000;

/**
 * Keeps one worker alive: planner and evaluator need memory and may be killed without taking the pages with them.
 * A worker that dies is started again after a pause that doubles; one that lived a minute starts afresh.
 */
export function keepWorker(options: WorkerOptions): WorkerProcess {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let status: WorkerStatus = { state: "starting" };
  let deaths = 0;
  let stopping = false;

  const start = (): void => {
    timer = null;
    const startedAt = options.now();
    status = { state: "starting" };
    const started = spawn(options.command, [...options.arguments], {
      env: options.environment,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child = started;
    // It says so itself, once state is open and it looks for work.
    started.once("message", () => {
      status = { state: "running", since: options.now().toISOString() };
    });
    started.once("error", (error) => options.log("worker_failed_to_start", { reason: error.message }));
    started.once("exit", (code, signal) => {
      child = null;
      if (stopping) return;
      const diedAt = options.now();
      deaths = diedAt.getTime() - startedAt.getTime() >= STEADY_MS ? 1 : deaths + 1;
      const pause = Math.min(options.backOffMs.first * 2 ** (deaths - 1), options.backOffMs.longest);
      status = {
        state: "restarting",
        since: diedAt.toISOString(),
        nextTryAt: new Date(diedAt.getTime() + pause).toISOString(),
        restarts: deaths,
      };
      options.log("worker_died", { code, signal, restartInMs: pause });
      timer = setTimeout(start, pause);
    });
  };

  start();
  return {
    status: () => status,
    stop: async () => {
      stopping = true;
      if (timer !== null) clearTimeout(timer);
      status = { state: "stopped" };
      if (child !== null) await end(child, options.graceMs);
    },
  };
}

function end(child: ChildProcess, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const killer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    child.once("exit", () => {
      clearTimeout(killer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
