import type { Problem } from "./problem.ts";

/** What a core function returns when it can fail: a value, or every fault it found (never only the first). */
export type Result<T> = Ok<T> | Failed;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Failed {
  readonly ok: false;
  readonly problems: readonly Problem[];
}

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function failed(...problems: readonly Problem[]): Failed {
  return { ok: false, problems };
}

/** Ends a switch over a closed union: a kind without a case fails to compile, an unknown one at run time fails loudly. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
