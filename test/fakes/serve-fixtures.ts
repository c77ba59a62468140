import { resolve } from "node:path";
import process from "node:process";
import { startWebServer } from "../../server/web-server.ts";
import { fakeWorld } from "./fake-operations.ts";

// The pages over in-memory operations, for looking at them and for `npm run screens`. Prints one line of JSON when ready.

const large = process.env.FIXTURE_LARGE;
const world = fakeWorld({
  empty: process.env.FIXTURE_EMPTY === "1",
  ...(large === undefined ? {} : { large: Number(large) }),
  now: () => new Date().toISOString(),
  paceMs: 250,
});
const since = new Date().toISOString();
const server = await startWebServer({
  folder: resolve(import.meta.dirname, "../.."),
  host: "127.0.0.1",
  port: Number(process.env.WEIR_PORT ?? "0"),
  baseUrl: null,
  dev: process.env.FIXTURE_DEV === "1",
  installed: {
    operations: world.operations,
    server: { project: "shop", gateway: "pg", user: "noor", tool: "weir 0.1.0" },
    workerStatus: () =>
      process.env.FIXTURE_WORKER === "dead"
        ? { state: "restarting", since, nextTryAt: new Date(Date.now() + 4_000).toISOString(), restarts: 2 }
        : { state: "running", since },
    logDefect: (id, error) => console.error(id, error),
  },
});
console.log(JSON.stringify({ link: server.link, url: server.url }));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)));
