import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

export interface Started {
  /** With this start's token. */
  readonly link: string;
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** Freezes it: its connections stay open and fall silent, as those of a machine that sleeps. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

/** Runs a program of ours until it prints its link. Fails when it dies first or takes too long. */
export function startProcess(
  script: readonly string[],
  environment: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<Started> {
  const child = spawn(process.execPath, ["--import", "tsx", ...script], {
    cwd: root,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  return new Promise((done, fail) => {
    const giveUp = (why: string) => {
      child.kill("SIGKILL");
      fail(new Error(`${script.join(" ")} ${why}. It said:\n${said}`));
    };
    const timer = setTimeout(() => giveUp(`printed no link within ${limitMs} ms`), limitMs);
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      const link = /http:\/\/\S+\?token=[\w-]+/.exec(said)?.[0];
      if (link === undefined) return;
      clearTimeout(timer);
      done({
        link,
        url: new URL(link).origin,
        stop: () => stop(child),
        freeze: () => child.kill("SIGSTOP"),
        thaw: () => child.kill("SIGCONT"),
      });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(new Error(`${script.join(" ")} ended with ${code} before it printed a link. It said:\n${said}`));
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const killer = setTimeout(() => child.kill("SIGKILL"), 40_000);
    child.once("exit", () => {
      clearTimeout(killer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
