import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClusterFolder, clusterFolder, hasCluster, major } from "./cluster-folder.ts";
import { createCluster, resetPassword } from "./create-cluster.ts";
import { refuseIfUsedElsewhere } from "./elsewhere.ts";
import { EmbeddedError, isFault } from "./embedded-error.ts";
import { ensureDatabase, stateDatabase } from "./ensure-database.ts";
import { host } from "./free-port.ts";
import { withHomeLock } from "./home-lock.ts";
import { makeFolder, onDisk } from "./own-folder.ts";
import { runningPostmaster } from "./postmaster-file.ts";
import { type Door, enter, type Presence } from "./presence.ts";
import { removeLeftovers } from "./remove-leftovers.ts";
import { blockedFor, chooseRunAs } from "./run-as.ts";
import { runnableBinaries } from "./runnable-binaries.ts";
import { readRecord, superuser } from "./server-record.ts";
import { startPostmaster } from "./start-postmaster.ts";
import { startWatchdog } from "./start-watchdog.ts";
import { stopPostmaster } from "./stop-postmaster.ts";

export interface EmbeddedOptions {
  /** Weir's home (`defaultHome`); created if missing. */
  readonly home: string;
  /** Whether a power cut may lose nothing: true unless the data is thrown away. Counts when this call starts the server. */
  readonly fsync?: boolean;
  /** The server ends itself after so long without any client; 0: never. Counts when this call starts the watchdog. */
  readonly idleSeconds?: number;
  /** Further server settings. They count when this call starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running server, kept running for its holder until `release`. */
export interface EmbeddedServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly major: number;
  url(database: string): string;
  release(): Promise<void>;
}

/** Uses the home's server, or starts it (and creates its data and the database "weir"). */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { idleSeconds = 600 } = options;
  const cluster = prepareHome(options.home);
  const entered = (await adopt(cluster)) ?? (await withHomeLock(cluster.lock, () => bringUp(cluster, options)));
  try {
    if (!entered.presence.hasDatabase) await ensureDatabase(entered, stateDatabase);
  } catch (error) {
    await entered.presence.leave();
    throw error;
  }
  if (!entered.presence.watched && idleSeconds > 0) startWatchdog(cluster, idleSeconds);
  const { port, password, presence } = entered;
  return {
    host,
    port,
    user: superuser,
    password,
    major,
    url: (database) => `postgresql://${superuser}:${password}@${host}:${port}/${encodeURIComponent(database)}`,
    release: () => presence.leave(),
  };
}

/** Ends the home's server whoever uses it: for tests, demos and removing a home. */
export async function stopEmbedded(home: string): Promise<void> {
  if (!existsSync(home)) return;
  const cluster = clusterFolder(realpathSync(home));
  if (!existsSync(cluster.folder)) return;
  await withHomeLock(cluster.lock, () => stopPostmaster(cluster));
}

interface Entered extends Door {
  readonly presence: Presence;
}

function prepareHome(home: string): ClusterFolder {
  const wanted = resolve(home);
  makeFolder(wanted);
  const cluster = clusterFolder(onDisk(wanted, () => realpathSync(wanted)));
  makeFolder(cluster.root);
  return cluster;
}

/** The running server, without waiting and without the lock: a few milliseconds. */
async function adopt(cluster: ClusterFolder): Promise<Entered | undefined> {
  const server = runningPostmaster(cluster.data);
  if (server?.port === undefined) return undefined;
  const record = readRecord(cluster.record);
  if (record === undefined) throw new EmbeddedError("record_lost", { path: cluster.record, pid: server.pid });
  const door = { port: server.port, password: record.password };
  try {
    const presence = await enter(door, stateDatabase);
    return presence && { ...door, presence };
  } catch (error) {
    // Class 28: invalid authorization
    if (isFault(error, "server_refuses") && error.fields.sqlstate.startsWith("28")) {
      throw new EmbeddedError("password_refused", { path: cluster.record, pid: server.pid });
    }
    throw error;
  }
}

/** Under the lock: nobody else starts or stops this server now, except its watchdog. */
async function bringUp(cluster: ClusterFolder, { fsync = true, settings = {} }: EmbeddedOptions): Promise<Entered> {
  const running = await outwait(cluster);
  if (running !== undefined) return running;
  const exists = hasCluster(cluster);
  const runAs = chooseRunAs(exists ? cluster.data : undefined);
  const blocked = runAs && blockedFor(runAs, exists ? cluster.folder : cluster.root);
  if (runAs && blocked !== undefined) {
    throw new EmbeddedError("folder_unreachable", { folder: cluster.folder, blocked, user: runAs.name });
  }
  if (exists) await refuseIfUsedElsewhere(cluster);
  removeLeftovers(cluster.root);
  const binaries = await runnableBinaries(cluster.root, runAs);
  if (!exists) await createCluster(cluster, binaries, runAs, fsync);
  else if (readRecord(cluster.record) === undefined) await resetPassword(cluster, binaries, runAs);
  return await startPostmaster({ cluster, binaries, runAs, fsync, settings }, () => adopt(cluster));
}

/** A server that a killed opener was starting, or that a watchdog is stopping: waits until it is usable or gone. */
async function outwait(cluster: ClusterFolder): Promise<Entered | undefined> {
  const limitSeconds = 120;
  const deadline = performance.now() + limitSeconds * 1000;
  for (;;) {
    const entered = await adopt(cluster);
    if (entered !== undefined) return entered;
    const server = runningPostmaster(cluster.data);
    if (server === undefined) return undefined;
    if (performance.now() > deadline) {
      const address = `${host}:${server.port ?? "?"}`;
      const reason = `not ready after ${limitSeconds} seconds (process ${server.pid})`;
      throw new EmbeddedError("server_refuses", { address, reason, sqlstate: "" });
    }
    await sleep(20);
  }
}
