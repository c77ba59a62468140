import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bindOperations } from "./api/bind-operations.ts";
import { type OpenServices, openServices } from "./compose.ts";
import { AppError } from "./core/base/app-error.ts";
import { problem } from "./core/base/problem.ts";
import { WORKER_REQUEST, type WorkerRequest } from "./jobs/worker-request.ts";
import { logLines } from "./log-lines.ts";
import type { ProjectPlace } from "./operations/services.ts";
import { unwrap } from "./operations/unwrap.ts";
import { startWebServer, type WebServer } from "./web-server.ts";
import { keepWorker, type WorkerProcess } from "./worker-process.ts";

export interface ServeRequest {
  readonly place: ProjectPlace;
  readonly stateUrl: string | null;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | null;
  /** Pages from sources, rebuilt as they change. */
  readonly dev: boolean;
}

export interface Served {
  /** The one link that lets a browser in. */
  readonly link: string;
  readonly url: string;
  /** Ends pages, worker and connections; resolves when all of them are gone. */
  readonly close: () => Promise<void>;
}

const PROMOTION_PATIENCE_MS = 600_000;
const WORKER_GRACE_MS = 30_000;

/**
 * Pages in this process, runs in one child, until closed.
 * @throws AppError when the project's configuration or the state can't be read, or the pages aren't built.
 */
export async function serve(request: ServeRequest): Promise<Served> {
  const log = logLines("server");
  const folder = builtPages(request.dev);
  const services = await openServices({
    place: request.place,
    stateUrl: request.stateUrl,
    environment: process.env,
    log,
  });
  let worker: WorkerProcess | null = null;
  try {
    const settings = unwrap(await services.projects.readSettings(request.place));
    worker = startWorker(request, settings.name, services);
    const web = await startWebServer({
      folder,
      host: request.host,
      port: request.port,
      baseUrl: request.baseUrl,
      dev: request.dev,
      installed: {
        operations: bindOperations(services, { place: request.place, name: settings.name }),
        server: { project: settings.name, gateway: settings.gateway.name, user: actingUser(), tool: services.tool },
        workerStatus: worker.status,
        logDefect: (id, error) =>
          log.warn("defect", { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      },
    });
    return { link: web.link, url: web.url, close: closer(web, worker, services) };
  } catch (error) {
    await worker?.stop();
    await services.close();
    throw portProblem(error, request);
  }
}

function closer(web: WebServer, worker: WorkerProcess, services: OpenServices): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const close = async () => {
    // The worker first: its run stops at a safe point while the pages can still say so.
    await worker.stop();
    await web.close();
    await services.close();
  };
  return () => {
    closing ??= close();
    return closing;
  };
}

function startWorker(request: ServeRequest, project: string, services: OpenServices): WorkerProcess {
  const { place, stateUrl } = request;
  const handed: WorkerRequest = { place, stateUrl, project, promotionPatienceMs: PROMOTION_PATIENCE_MS };
  const file = workerFile();
  return keepWorker({
    command: process.execPath,
    arguments: [...(file.endsWith(".ts") ? ["--import", "tsx"] : ["--enable-source-maps"]), file],
    environment: { ...process.env, [WORKER_REQUEST]: JSON.stringify(handed) },
    backOffMs: { first: 500, longest: 30_000 },
    graceMs: WORKER_GRACE_MS,
    log: services.log.warn,
    now: () => new Date(),
  });
}

/** Beside this file, from sources and from the bundle, whose shared code lies one folder down. */
function workerFile(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = ["jobs/worker.ts", "jobs/worker.js", "../jobs/worker.js"].map((path) => join(here, path));
  const found = places.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`the worker's program is missing beside ${here}`);
  return found;
}

/** The package's own folder, which holds `.next`. */
function builtPages(dev: boolean): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder);
  if (!dev && !existsSync(join(folder, ".next", "BUILD_ID"))) {
    const reason = 'The pages aren\'t built. Run "npm run build" in the folder of Weir first.';
    throw new AppError(problem("usage_invalid", { reason }));
  }
  return folder;
}

function portProblem(error: unknown, { host, port }: ServeRequest): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") return error;
  const why =
    code === "EADDRINUSE"
      ? "something else listens there"
      : code === "EACCES"
        ? "it isn't allowed to this user"
        : "this machine has no such address";
  return new AppError(
    problem("usage_invalid", {
      reason: `Weir can't listen on ${host}:${port}: ${why}. Choose another with WEIR_PORT or WEIR_HOST.`,
    }),
  );
}

function actingUser(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER ?? `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
