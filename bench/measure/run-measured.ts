import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cost } from "./cost.ts";

export interface Command {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads from its standard input; nothing if not given. */
  readonly input?: string;
}

export interface Measured {
  readonly cost: Cost;
  readonly stdout: string;
}

const GNU_TIME = "/usr/bin/time";

/**
 * Runs a command to its end and says what it took. GNU time reads what the kernel kept for the process (wait4), which
 * Node can't: nothing is sampled, so nothing is missed.
 *
 * @throws Error with what it said, when it ends with another exit code than 0.
 */
export async function runMeasured(command: Command, readServerCpuMs: () => number = () => 0): Promise<Measured> {
  if (!existsSync(GNU_TIME)) throw new Error(`${GNU_TIME} isn't there. Install GNU time (package \`time\`).`);
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-time-"));
  const report = join(folder, "report");
  try {
    const serverBefore = readServerCpuMs();
    const startedAt = performance.now();
    const ended = await run({
      ...command,
      program: GNU_TIME,
      words: ["-q", "-o", report, "-f", "%U %S %M", command.program, ...command.words],
    });
    const wallMs = performance.now() - startedAt;
    if (ended.exit !== 0) {
      const said = `${ended.stdout}\n${ended.stderr}`.trim().slice(-4_000);
      throw new Error(`${[command.program, ...command.words].join(" ")} ended with ${ended.exit}:\n${said}`);
    }
    const [user = 0, system = 0, peakKiB = 0] = readFileSync(report, "utf8").trim().split(" ").map(Number);
    const serverCpuMs = readServerCpuMs() - serverBefore;
    return {
      cost: { wallMs, cpuMs: (user + system) * 1_000, peakMiB: peakKiB / 1_024, serverCpuMs },
      stdout: ended.stdout,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** With nothing of this process's environment but what a program needs to start. */
function run({ program, words, folder, environment, input = "" }: Command): Promise<Ended> {
  const { PATH = "", HOME = "", LANG = "C.UTF-8" } = process.env;
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH, HOME, LANG, NODE_ENV: "production", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // One that never reads may be gone before we have written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit) => resolve({ exit, stdout, stderr }));
  });
}
