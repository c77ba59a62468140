// `npm run demo`: a shop on the embedded database, somebody else's objects on top of it, two plans that wait, and the
// web app to review them in. Running it again goes on with what is there. Nothing but Node is needed.
//   --no-serve  prepares everything and ends       --reset  forgets an earlier demo first

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { defaultHome } from "../server/engine/embedded/default-home.ts";
import { stopEmbedded } from "../server/engine/embedded/open-embedded.ts";
import { checkoutsIn } from "./demo/checkouts.ts";
import { openDemoServer } from "./demo/demo-server.ts";
import { ensureBuilt } from "./demo/ensure-built.ts";
import { fillDemo } from "./demo/fill-demo.ts";
import { tellStory } from "./demo/story.ts";

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    "no-serve": { type: "boolean", default: false },
    reset: { type: "boolean", default: false },
    port: { type: "string" },
  },
});

try {
  process.exitCode = await runDemo();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env.WEIR_LOG === "debug" && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
  process.exitCode = 1;
}

async function runDemo(): Promise<number> {
  const home = process.env.WEIR_HOME ?? join(defaultHome(process.env, process.platform), "demo");
  if (values.reset) {
    await stopEmbedded(home);
    rmSync(home, { recursive: true, force: true });
  }
  if (!values["no-serve"]) ensureBuilt(root);
  say(`Starting a database in ${home} …`);
  const server = await openDemoServer(home);
  try {
    const checkouts = checkoutsIn(home);
    const filled = await fillDemo(server, join(root, "examples", "shop"), checkouts, say);
    say(tellStory(filled, checkouts));
    if (values["no-serve"]) return 0;
    return await serve(checkouts.shop, server.environment);
  } finally {
    await server.release();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The web app as a process of its own. Ctrl-C reaches it by itself; a SIGTERM is passed on. */
function serve(project: string, environment: Readonly<Record<string, string>>): Promise<number> {
  const port = values.port === undefined ? [] : ["--port", values.port];
  const child = spawn(process.execPath, [join(root, "bin", "weir"), "serve", "--path", project, ...port], {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => done(code === 0 || code === 130 || signal === "SIGINT" ? 0 : (code ?? 1)));
  });
}
