/** What one process took, from its start to its end. */
export interface Cost {
  readonly wallMs: number;
  /** User and system time of the process and of those it waited for. */
  readonly cpuMs: number;
  /** Largest resident set of any one of them: of a tool that forks, the biggest process and not the sum. */
  readonly peakMiB: number;
  /** What the database server spent meanwhile, all its processes together. */
  readonly serverCpuMs: number;
}

/** Each part's own median: runs differ by what else the machine was doing. */
export function medianCost(costs: readonly Cost[]): Cost {
  const of = (part: (cost: Cost) => number): number => median(costs.map(part));
  return {
    wallMs: of((cost) => cost.wallMs),
    cpuMs: of((cost) => cost.cpuMs),
    peakMiB: of((cost) => cost.peakMiB),
    serverCpuMs: of((cost) => cost.serverCpuMs),
  };
}

/** @throws Error for no values, of which there is no middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error("a median needs at least one value");
  return (lower + upper) / 2;
}
