import { problem } from "../core/base/problem.ts";
import type { StopSignal } from "../operations/apply-plan.ts";
import { exitOfSignal, type StopName } from "./exit-code.ts";
import { failureJson, printProblems } from "./print-problems.ts";
import type { Terminal } from "./terminal.ts";

/** The first signal asks running work to stop at a safe point; the second, or the first with nothing to save, ends at once. */
export interface StopSignals {
  readonly received: () => StopName | null;
  /** From here on a first signal stops gracefully, until `release`. `message` is said when it comes. */
  readonly guard: (message: string) => { readonly signal: StopSignal; readonly release: () => void };
  /** What an ending without a guard says was being done. */
  readonly describe: (during: string) => void;
  readonly close: () => void;
}

interface Guard {
  readonly message: string;
  readonly listeners: (() => void)[];
  aborted: boolean;
}

export function listenForStop(terminal: Terminal): StopSignals {
  let received: StopName | null = null;
  let guard: Guard | null = null;
  let during = "starting";

  const handle = (name: StopName) => {
    const first = received === null;
    received ??= name;
    if (guard === null) {
      endNow(terminal, name, during);
    } else if (first) {
      terminal.note(guard.message);
      guard.aborted = true;
      for (const listener of guard.listeners) listener();
    } else {
      terminal.live(null);
      terminal.note("Ended at once. What was done is recorded; what was running is undone by the database.");
      if (terminal.json) writeInterrupted(name, during);
      process.exit(exitOfSignal(name));
    }
  };
  const onInterrupt = () => handle("SIGINT");
  const onTerminate = () => handle("SIGTERM");
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);

  return {
    received: () => received,
    describe: (text) => {
      during = text;
    },
    guard: (message) => {
      const own: Guard = { message, listeners: [], aborted: false };
      guard = own;
      const signal: StopSignal = {
        get aborted() {
          return own.aborted;
        },
        onAbort: (listener) => void own.listeners.push(listener),
      };
      const release = () => {
        if (guard === own) guard = null;
      };
      return { signal, release };
    },
    close: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
    },
  };
}

function endNow(terminal: Terminal, name: StopName, during: string): never {
  terminal.live(null);
  if (terminal.json) writeInterrupted(name, during);
  else terminal.note(`\n${printProblems([problem("interrupted", { during })], terminal.notePaint, terminal.width)}`);
  process.exit(exitOfSignal(name));
}

function writeInterrupted(name: StopName, during: string): void {
  process.stdout.write(`${JSON.stringify(failureJson([problem("interrupted", { during })], exitOfSignal(name)))}\n`);
}
