import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, afterEach } from "vitest";
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  openEmbedded,
  stopEmbedded,
} from "../../server/engine/embedded/open-embedded.ts";

/** Real processes around the embedded server, all of them ended and their homes removed after each test. */

export const isRoot = process.getuid?.() === 0;

const leftovers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clear of leftovers.splice(0).reverse()) await clear();
});

export function later(clear: () => Promise<unknown>): void {
  leftovers.push(clear);
}

export function newHome(name = ""): string {
  const home = join(tmpdir(), `weir-embedded-${randomBytes(5).toString("hex")}${name}`);
  later(async () => {
    await stopEmbedded(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return home;
}

export async function open(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const server = await openEmbedded(options);
  later(() => server.release());
  return server;
}

export interface Answer {
  readonly url?: string;
  readonly port?: number;
  readonly milliseconds?: number;
  readonly code?: string;
  readonly message?: string;
}

export interface Opener {
  readonly pid: number;
  /** What it printed; rejects, with its error output, if it ends before. */
  readonly answer: Promise<Answer>;
  readonly ended: Promise<void>;
  kill(): void;
  release(): Promise<void>;
}

/** embedded-opener.ts with all it imports in one file: starts in a fifth of tsx's time. Returns its path. */
export function bundleOpener(folder: string): string {
  const outfile = join(folder, `embedded-opener-${process.pid}.mjs`);
  buildSync({
    entryPoints: [fileURLToPath(new URL("./embedded-opener.ts", import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    external: ["pg-native"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}

// In node_modules, from where the platform's package is found.
const script = bundleOpener(fileURLToPath(new URL("../../node_modules/.cache", import.meta.url)));
afterAll(() => rmSync(script, { force: true }));

/** Starts another process that opens the server. `wrap` goes before node's own command. */
export function opener(
  options: EmbeddedOptions,
  { wrap = [], program = [script] }: { wrap?: readonly string[]; program?: readonly string[] } = {},
): Opener {
  const [command = process.execPath, ...args] = [...wrap, process.execPath, ...program, JSON.stringify(options)];
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: "/nowhere", NODE_ENV: "test" },
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const answer = new Promise<Answer>((resolve, reject) => {
    createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line) as Answer));
    child.on("error", reject);
    child.on("close", (code, signal) => reject(new Error(`opener ended (${code ?? signal}): ${errors}`)));
  });
  answer.catch(() => {}); // Looked at by those who wait for it.
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  later(async () => {
    kill();
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    answer,
    ended,
    kill,
    release: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

export function postmasterOf(home: string): number | undefined {
  try {
    return Number(readFileSync(join(home, "postgres", "18", "data", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

/** Asks until the answer is true; fails with `what` when the limit is over. */
export async function until(what: string, limitMs: number, ask: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(25);
  }
}

export const watchdogs = "SELECT pid FROM pg_stat_activity WHERE application_name = 'weir watchdog'";
