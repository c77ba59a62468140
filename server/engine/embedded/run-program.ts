import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { delimiter, parse } from "node:path";
import type { RunAs } from "./run-as.ts";

export interface Outcome {
  /** null: killed (by our limit, or from outside), or never started. */
  readonly code: number | null;
  readonly output: string;
}

export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly runAs: RunAs | undefined;
  readonly limitSeconds: number;
  readonly input?: string;
}

/** Runs a program to its end and keeps what it printed. Never rejects. */
export function runProgram({ program, args, runAs, limitSeconds, input = "" }: Run): Promise<Outcome> {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, args, {
      ...userOf(runAs),
      // Our current folder may be closed to that user.
      cwd: parse(program).root,
      env: cleanEnvironment(),
      timeout: limitSeconds * 1000,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    const collect = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.stdin.on("error", () => {}); // It ended without reading; its code says why.
    child.stdin.end(input);
    child.on("error", (error) => resolve({ code: null, output: `${output}${error.message}\n` }));
    child.on("close", (code, signal) =>
      resolve({ code, output: signal === null ? output : `${output}ended by ${signal}\n` }),
    );
  });
}

export function userOf(runAs: RunAs | undefined): { uid?: number; gid?: number } {
  return runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid };
}

/** Without PG*, locale, library paths and NODE_OPTIONS of whoever happened to come first: all later users get this server. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = process.platform === "win32" ? ["SystemRoot", "TEMP", "TMP", "PATH"] : ["PATH"];
  const kept = own.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const path = ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
  const environment: Record<string, string> = {
    PATH: path,
    TMPDIR: tmpdir(),
    LC_ALL: "C",
    TZ: "UTC",
    ...Object.fromEntries(kept),
  };
  // Next's types make NODE_ENV compulsory for every environment; this one goes to programs that know nothing of it.
  return environment as NodeJS.ProcessEnv;
}

export function lastLines(text: string, count = 12): string {
  return text
    .trimEnd()
    .split("\n")
    .slice(-count)
    .map((line) => `  ${line}`)
    .join("\n");
}
