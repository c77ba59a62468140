import type { Operations } from "./operations.ts";

/** What the starting program hands to the screens, which run in the same process. */
export interface Installed {
  readonly operations: Operations;
  readonly server: ServerFacts;
  readonly gate: Gate;
  readonly workerStatus: () => WorkerStatus;
  /** Where defects are written that the screens show by id only. */
  readonly logDefect: (id: string, error: unknown) => void;
}

export interface ServerFacts {
  readonly project: string;
  readonly gateway: string;
  /** Recorded as the author of decisions while there is no sign-in. */
  readonly user: string;
  readonly tool: string;
}

/** What a request must show before a page or a procedure sees it. */
export interface Gate {
  /** Made anew at each start, printed with the link. */
  readonly token: string;
  /** Cookies are shared by all ports of a host, so the port is part of the name. */
  readonly cookie: string;
  /** `127.0.0.1:4300`, as the Host header spells it, lower case. */
  readonly hosts: readonly string[];
}

export type WorkerStatus =
  | { readonly state: "starting" }
  | { readonly state: "running"; readonly since: string }
  | { readonly state: "restarting"; readonly since: string; readonly nextTryAt: string; readonly restarts: number }
  | { readonly state: "stopped" };

// Next bundles its own copy of every module it serves, so a module-level variable set by the starting program would be
// another variable than the one its pages read. The process-wide symbol registry is the one thing both copies share.
const key = Symbol.for("weir.installed");
const registry = globalThis as { [key]?: Installed };

export function install(installed: Installed): void {
  registry[key] = installed;
}

export function installed(): Installed {
  const found = registry[key];
  if (found === undefined)
    throw new Error('The pages were started without a server behind them. Start them with "weir serve".');
  return found;
}
