import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbedded, stopEmbedded } from "../../server/engine/embedded/open-embedded.ts";

/** Where the run's throw-away cluster is; the user is a superuser. In a test: `inject("cluster")`. */
export interface ClusterAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    cluster: ClusterAddress;
    /** Its folder: as WEIR_HOME it makes the cluster the embedded server of whoever is given it. */
    clusterHome: string;
  }
}

/** Vitest globalSetup: one real server for the whole run, without fsync, in the temp folder; removed at the end. */
export default async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  // Not made by mkdtemp, whose folders are closed to the user that the server runs as when we are root.
  const home = join(tmpdir(), `weir-test-${randomBytes(6).toString("hex")}`);
  const server = await openEmbedded({
    home,
    fsync: false,
    // Only for a run that is killed: its server ends by itself.
    idleSeconds: 60,
    settings: { max_connections: "200" },
  });
  const { host, port, user, password } = server;
  project.provide("cluster", { host, port, user, password });
  project.provide("clusterHome", home);
  return async () => {
    await server.release();
    await stopEmbedded(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
}
