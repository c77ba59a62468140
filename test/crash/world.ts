import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import { inject } from "vitest";
import { AppError } from "../../server/core/base/app-error.ts";
import type { RunHappening } from "../../server/core/stage/run.ts";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";
import { type ApplyReport, applyPlan } from "../../server/operations/apply-plan.ts";
import { decidePlan } from "../../server/operations/decide-plan.ts";
import { type PlannedEnvironment, planEnvironment } from "../../server/operations/plan-environment.ts";
import type { ProjectPlace, Services } from "../../server/operations/services.ts";
import { outside, type ProjectFiles, writeFiles } from "./crash-project.ts";
import type { DriverJob, DriverOutcome } from "./driver.ts";
import { type OpenedServices, openServices } from "./open-services.ts";

/** A database with state and warehouse, and the folder of the project that is planned there. */
export interface World {
  readonly database: string;
  readonly folder: string;
  readonly place: ProjectPlace;
  readonly query: <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  readonly connect: (name?: string) => Promise<pg.Client>;
  readonly services: () => Promise<OpenedServices>;
  readonly write: (files: ProjectFiles) => Promise<void>;
  readonly drop: () => Promise<void>;
}

export async function createWorld(name: string): Promise<World> {
  const cluster = inject("cluster");
  const database = `${name}_${randomBytes(4).toString("hex")}`;
  const folder = await mkdtemp(join(tmpdir(), "weir-crash-"));
  await asAdmin(`CREATE DATABASE ${database} TEMPLATE template1`);
  const parser = await loadSqlParser();
  const connect = async (application = "test"): Promise<pg.Client> => {
    const client = new pg.Client({ ...cluster, database, application_name: application });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const query = async <Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    const client = await connect();
    try {
      return (await client.query(sql, [...values])).rows as readonly Row[];
    } finally {
      await client.end();
    }
  };
  const write = async (files: ProjectFiles): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    await writeFiles(folder, files);
  };
  const world: World = {
    database,
    folder,
    place: { folder, gateway: null, dotenv: null },
    query,
    connect,
    services: () => openServices(cluster, database, parser),
    write,
    drop: async () => {
      await dropDatabase(database);
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (const statement of outside) await query(statement);
  const services = await world.services();
  await services.state.migrate();
  await services.close();
  return world;
}

/** Puts the database back to what `saveDatabase` saw; under its own name, since plans know it by that. */
export async function restoreDatabase(database: string): Promise<void> {
  await dropDatabase(database);
  await asAdmin(`CREATE DATABASE ${database} TEMPLATE ${database}_saved`);
}

export async function saveDatabase(database: string): Promise<void> {
  await asAdmin(`CREATE DATABASE ${database}_saved TEMPLATE ${database}`);
}

export async function dropDatabase(database: string): Promise<void> {
  await asAdmin(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
}

let admin: Promise<pg.Client> | null = null;
let asked: Promise<unknown> = Promise.resolve();

/** One connection for all of a file, on which statements take turns: cloning goes on hundreds of times. */
async function asAdmin(sql: string): Promise<void> {
  admin ??= connectAdmin();
  const client = await admin;
  const answer = asked.then(() => client.query(sql));
  asked = answer.catch(() => undefined);
  await answer;
}

async function connectAdmin(): Promise<pg.Client> {
  const client = new pg.Client({ ...inject("cluster"), database: "postgres" });
  await client.connect();
  return client;
}

export async function endAdmin(): Promise<void> {
  const client = await admin;
  admin = null;
  await client?.end();
}

export async function planOf(
  services: Services,
  place: ProjectPlace,
  author = "ann",
  allowDestructive: readonly string[] = [],
): Promise<PlannedEnvironment> {
  const options = { allowDestructive, accept: [], replaceProject: false };
  return planEnvironment(services, { place, environment: null, options, author, save: true });
}

export async function approve(services: Services, { plan }: PlannedEnvironment): Promise<void> {
  await decidePlan(services, {
    planId: plan.id,
    digest: plan.digest,
    verdict: "approve",
    reason: null,
    by: "ann",
    how: "review",
  });
}

export interface ApplyOptions {
  readonly resume?: boolean;
  readonly patienceMs?: number;
  readonly onEvent?: (event: RunHappening) => void;
}

/** In this process. */
export function applyHere(
  services: Services,
  place: ProjectPlace,
  planId: string,
  { resume = false, patienceMs = 20_000, onEvent = () => undefined }: ApplyOptions = {},
): Promise<ApplyReport> {
  return applyPlan(services, {
    planId,
    place,
    by: "ann",
    resume,
    onEvent: ({ event }) => onEvent(event),
    signal: { aborted: false, onAbort: () => undefined },
    promotionPatienceMs: patienceMs,
  });
}

/** Plans, approves and applies what the files say; null where there is nothing to do. */
export async function planAndApply(services: Services, place: ProjectPlace): Promise<ApplyReport | null> {
  const planned = await planOf(services, place);
  const { effects } = planned.plan;
  if (effects.blockers.length > 0) throw new Error(`blocked: ${JSON.stringify(effects.blockers)}`);
  if (effects.changes.length === 0 && effects.actions.length === 0) return null;
  // An equal plan that is waiting already comes back as it is, maybe approved.
  if (planned.state === "open") await approve(services, planned);
  return applyHere(services, place, planned.plan.id);
}

/** A dead process's session is gone a moment later than the process: until then its lease is held. */
export async function whenFree<T>(work: () => Promise<T>, limitMs = 10_000): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isHeld(error) || performance.now() > deadline) throw error;
    }
  }
}

export function isHeld(error: unknown): boolean {
  return codesOf(error).includes("environment_held");
}

export function codesOf(error: unknown): readonly string[] {
  return error instanceof AppError ? error.problems.map((each) => each.code) : [];
}

export interface Driver {
  readonly pid: number;
  readonly start: (job: Omit<DriverJob, "cluster">) => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Null when it was killed. */
  readonly outcome: Promise<DriverOutcome | null>;
  readonly events: () => readonly { readonly kind: string; readonly [field: string]: unknown }[];
}

export function startDriver(): Driver {
  const child = spawn(process.execPath, [inject("driver")], { stdio: ["pipe", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    err += data.toString();
  });
  child.stdin.on("error", () => undefined);
  const outcome = new Promise<DriverOutcome | null>((resolve, reject) => {
    child.on("close", (_code, signal) => {
      if (signal !== null) resolve(null);
      else if (out === "") reject(new Error(`the driver ended without a word: ${err}`));
      else resolve(JSON.parse(out) as DriverOutcome);
    });
  });
  return {
    pid: child.pid ?? 0,
    start: (job) => void child.stdin.write(`${JSON.stringify({ ...job, cluster: inject("cluster") })}\n`),
    kill: (signal) => void child.kill(signal),
    outcome,
    events: () =>
      err
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line)),
  };
}

/** Asks until there is an answer. */
export async function until<T>(ask: () => Promise<T | null>, limitMs = 20_000): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms`);
  }
}
