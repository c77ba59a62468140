import type { ExitCode } from "./exit-code.ts";
import type { StopSignals } from "./stop-signals.ts";
import type { Terminal } from "./terminal.ts";

/** What every command is given: where to speak, what was asked for all commands alike, and the ear for signals. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly globals: GlobalOptions;
  readonly stop: StopSignals;
}

export interface GlobalOptions {
  /** As typed; empty where none was given. */
  readonly paths: readonly string[];
  readonly gateway: string | null;
  readonly state: string | null;
  readonly dotenv: string | null;
}

/** `json` is what --json prints, exactly once; with --raw also without it. */
export interface Outcome {
  readonly exit: ExitCode;
  readonly json: unknown;
}
