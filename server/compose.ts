import { systemClock, systemIds, systemWaiter } from "./ambient.ts";
import { AppError } from "./core/base/app-error.ts";
import { problem } from "./core/base/problem.ts";
import { assertNever } from "./core/base/result.ts";
import { defaultHome } from "./engine/embedded/default-home.ts";
import { EmbeddedError } from "./engine/embedded/embedded-error.ts";
import { type EmbeddedServer, openEmbedded } from "./engine/embedded/open-embedded.ts";
import { connectionFromUrl } from "./engine/postgres/connection-from-url.ts";
import { connectionTarget } from "./engine/postgres/connection-target.ts";
import { createShapeReader } from "./engine/postgres/shape-reader.ts";
import { loadSqlParser } from "./engine/postgres/sql-parser.ts";
import { openWarehouse } from "./engine/postgres/warehouse.ts";
import type { ProjectPlace, Services } from "./operations/services.ts";
import type { Log } from "./ports/ambient.ts";
import type { ProjectFiles } from "./ports/project-files.ts";
import type { ConnectionSettings, GatewaySettings, ProjectSource } from "./ports/project-source.ts";
import type { ShapeReader } from "./ports/shape-reader.ts";
import type { StateStore } from "./ports/state-store.ts";
import { removeCache } from "./project/clean-cache.ts";
import { createProject } from "./project/init-project.ts";
import { createProjectSource } from "./project/load-project.ts";
import { openStateStore, STATE_SCHEMA } from "./state/postgres-state-store.ts";
import { version } from "./version.ts";

/** The only file that picks concrete adapters. Drivers call it, tests and the demo too. */
export interface ComposeOptions {
  /** Whose configuration says where state and warehouse are; null where a URL says it all. */
  readonly place: ProjectPlace | null;
  readonly stateUrl: string | null;
  readonly environment: Environment;
  readonly log?: Log;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenServices extends Services {
  readonly close: () => Promise<void>;
}

/** Where state is kept, decided in this order: a URL, the gateway's state_connection, the warehouse, the embedded server. */
export interface StateLocation {
  readonly kind: "url" | "state_connection" | "warehouse" | "embedded";
  /** Host, port, database, user and schema; never a password. */
  readonly description: string;
  /** Whether our tables are there already. */
  readonly exists: () => Promise<boolean>;
  readonly open: () => Promise<StateStore>;
}

const EMBEDDED_DATABASE = "weir";

/** @throws AppError when no URL is given and the configuration can't be read. */
export async function locateState(options: ComposeOptions): Promise<StateLocation> {
  const url = options.stateUrl ?? options.environment.WEIR_STATE_URL ?? null;
  if (url !== null && url !== "") return stateAt("url", connectionFromUrl(url), STATE_SCHEMA, options);
  if (options.place === null) return embeddedState(options);
  const settings = await (await projectSource(options)).readSettings(options.place);
  if (!settings.ok) throw new AppError(...settings.problems);
  const { connection, stateConnection, stateSchema } = settings.value.gateway;
  const schema = stateSchema ?? STATE_SCHEMA;
  if (stateConnection !== null) return stateAt("state_connection", stateConnection, schema, options);
  return stateAt("warehouse", connection, schema, options);
}

/** Opens state (bringing its tables up to date) and readies everything an operation may ask for. The caller closes it. */
export async function openServices(options: ComposeOptions, location?: StateLocation): Promise<OpenServices> {
  const state = await (location ?? (await locateState(options))).open();
  try {
    await state.migrate();
    const projects = await projectSource(options);
    const embedded = lazyEmbedded(options.environment);
    return {
      projects,
      state,
      parser: await loadSqlParser(),
      shapes: async (gateway) => openShapes(gateway, embedded.open),
      catalog: (gateway) => openWarehouse(gateway.connection),
      warehouse: (gateway) => openWarehouse(gateway.connection),
      clock: systemClock,
      ids: systemIds,
      waiter: systemWaiter,
      log: options.log ?? silentLog,
      tool: `weir ${version()}`,
      close: async () => {
        await state.close();
        await embedded.release();
      },
    };
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** What works without state and warehouse: writing a new project, finding and emptying a cache. */
export async function openFiles(environment: Environment): Promise<{ projects: ProjectSource; files: ProjectFiles }> {
  return { projects: await projectSource({ environment }), files: { createProject, removeCache } };
}

async function projectSource({ environment }: Pick<ComposeOptions, "environment">): Promise<ProjectSource> {
  return createProjectSource({ parser: await loadSqlParser(), environment });
}

function stateAt(
  kind: StateLocation["kind"],
  connection: ConnectionSettings,
  schema: string,
  { log = silentLog }: ComposeOptions,
): StateLocation {
  const open = () => openStateStore({ connection, schema, log });
  return { kind, description: `${connectionTarget(connection)}, schema ${schema}`, exists: () => isSetUp(open), open };
}

async function embeddedState(options: ComposeOptions): Promise<StateLocation> {
  const server = await openEmbeddedServer(options.environment);
  return stateAt("embedded", embeddedConnection(server), STATE_SCHEMA, options);
}

async function isSetUp(open: () => Promise<StateStore>): Promise<boolean> {
  const state = await open();
  try {
    await state.listEnvironments(null);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.problems.some((each) => each.code === "state_not_set_up")) return false;
    throw error;
  } finally {
    await state.close();
  }
}

function openShapes(gateway: GatewaySettings, embedded: () => Promise<EmbeddedServer>): ShapeReader {
  return createShapeReader({ connect: () => shadowConnection(gateway, embedded) });
}

async function shadowConnection(
  gateway: GatewaySettings,
  embedded: () => Promise<EmbeddedServer>,
): Promise<ConnectionSettings> {
  const { shadow } = gateway;
  switch (shadow.kind) {
    case "embedded":
      return embeddedConnection(await embedded());
    case "warehouse":
      return gateway.connection;
    case "scratch":
      return connectionFromUrl(shadow.url);
    default:
      return assertNever(shadow);
  }
}

/** Started by the first plan that needs it, not before: looking at environments needs no server of our own. */
function lazyEmbedded(environment: Environment) {
  let opened: Promise<EmbeddedServer> | null = null;
  return {
    open: () => {
      opened ??= openEmbeddedServer(environment);
      return opened;
    },
    release: async () => {
      await (await opened)?.release();
    },
  };
}

async function openEmbeddedServer(environment: Environment): Promise<EmbeddedServer> {
  try {
    return await openEmbedded({ home: defaultHome(environment, process.platform) });
  } catch (error) {
    if (error instanceof EmbeddedError) throw new AppError(problem("embedded_failed", { reason: error.message }));
    throw error;
  }
}

function embeddedConnection(server: EmbeddedServer): ConnectionSettings {
  return {
    type: "postgres",
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database: EMBEDDED_DATABASE,
    role: null,
    sslmode: null,
    connectTimeoutSeconds: 10,
    applicationName: null,
  };
}

const silentLog: Log = { info: () => undefined, warn: () => undefined };
