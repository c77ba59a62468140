/**
 * A process that applies one plan with the real services, for tests that kill it. Reads one line of JSON from stdin,
 * so that it can be started before it is needed; prints one line of JSON at its end.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { AppError } from "../../server/core/base/app-error.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { applyPlan, type StopSignal } from "../../server/operations/apply-plan.ts";
import type { ClusterAddress } from "../postgres/cluster.ts";
import { watchStatements } from "./kill-points.ts";
import { openServices } from "./open-services.ts";

export interface DriverJob {
  readonly cluster: ClusterAddress;
  readonly database: string;
  readonly folder: string;
  readonly planId: string;
  readonly resume: boolean;
  readonly patienceMs: number;
  /** 0: never. */
  readonly killAt: number;
  /** Also at moments that leave what the last one left. */
  readonly every: boolean;
}

export interface DriverOutcome {
  readonly problems: readonly { readonly code: string }[] | null;
  readonly message: string | null;
  readonly run: string | null;
  readonly passed: readonly string[];
}

/** Applying parses nothing: everything was decided when the plan was made. */
const noParser: SqlParser = {
  version: "none",
  parse: () => {
    throw new Error("applying must not parse");
  },
};

const line = await new Promise<string>((resolve) => createInterface(process.stdin).once("line", resolve));
const outcome = await apply(JSON.parse(line) as DriverJob);
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(outcome.message === null ? 0 : 1));

async function apply(job: DriverJob): Promise<DriverOutcome> {
  const services = await openServices(job.cluster, job.database, noParser);
  const points = watchStatements(job.killAt, job.every);
  try {
    const { run } = await applyPlan(services, {
      planId: job.planId,
      place: { folder: job.folder, gateway: null, dotenv: null },
      by: "crash driver",
      resume: job.resume,
      onEvent: (event) => process.stderr.write(`${JSON.stringify(event.event)}\n`),
      signal: stopSignal(),
      promotionPatienceMs: job.patienceMs,
    });
    return { problems: [], message: null, run: run.id, passed: points.passed };
  } catch (error) {
    const problems = error instanceof AppError ? error.problems : null;
    return { problems, message: String(error), run: null, passed: points.passed };
  } finally {
    await services.close();
  }
}

function stopSignal(): StopSignal {
  const listeners: (() => void)[] = [];
  let aborted = false;
  const stop = () => {
    aborted = true;
    for (const listener of listeners) listener();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    get aborted() {
      return aborted;
    },
    onAbort: (listener) => void listeners.push(listener),
  };
}
