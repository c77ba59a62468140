import { median } from "./cost.ts";

/** What a part of a process took. */
export interface Timed {
  readonly ms: number;
  /** Of this process alone: on a busy machine the only figure that another process can't add to. */
  readonly cpuMs: number;
}

export async function timed<T>(work: () => T | Promise<T>): Promise<Timed & { readonly value: T }> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const value = await work();
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1_000, value };
}

export function medianTimed(times: readonly Timed[]): Timed {
  return { ms: median(times.map(({ ms }) => ms)), cpuMs: median(times.map(({ cpuMs }) => cpuMs)) };
}
