/** What core never reads for itself: handed in by the shell, and by tests as data. */
export interface Clock {
  /** ISO 8601 in UTC with milliseconds. */
  readonly now: () => string;
}

export interface Ids {
  /** Sortable by time of creation, unguessable, lower case. */
  readonly next: (prefix: string) => string;
  /** A number in [0, 1) for jittered back-off; never for anything that must be repeatable. */
  readonly jitter: () => number;
}

export interface Log {
  readonly info: (event: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (event: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Waits that tests can drive and that end early when the signal fires. */
export interface Waiter {
  readonly wait: (ms: number, signal: AbortSignalLike | null) => Promise<void>;
}

export interface AbortSignalLike {
  readonly aborted: boolean;
}
