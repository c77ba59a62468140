import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { inject } from "vitest";

export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  /** Resolves once stderr holds this text; fails if the process ends before. */
  readonly says: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The shipped command line as a real process, with nothing of this one's environment but what it needs to start. */
export function startWeir(words: readonly string[], { cwd = tmpdir(), environment = {} }: RunOptions = {}): Started {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [inject("weirProgram"), ...words], {
    cwd,
    env: { NODE_ENV: "production", PATH, HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const watcher of watchers) watcher();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit) => resolve({ exit, stdout, stderr }));
  });
  return {
    process: child,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (stderr.includes(text)) resolve();
        };
        watchers.add(look);
        look();
        ended.then(() => reject(new Error(`it ended without saying ${JSON.stringify(text)}:\n${stderr}`)), reject);
      }),
  };
}

export function runWeir(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return startWeir(words, options).ended;
}
