import { type Cost, medianCost } from "./measure/cost.ts";
import { readLoad } from "./measure/machine.ts";
import type { Timed } from "./measure/timed.ts";

export interface Figure {
  readonly name: string;
  /** Whole processes, medians over `runs`. */
  readonly weir: Cost;
  readonly peer: Cost | null;
  /** The part of it that a limit is about. */
  readonly part: Part | null;
  readonly runs: number;
  readonly peerRuns: number;
  /** Load of the machine while it was measured, the measured process included: lowest and highest. */
  readonly load: readonly [number, number];
}

export interface Part extends Timed {
  readonly limitMs: number;
  /** Where the limit comes from, or what stands beside it. */
  readonly limit: string;
}

/** Runs one thing several times, in turn with its peer's, so that both see the same machine. */
export async function repeat(runs: number, once: (run: number) => Promise<Once>): Promise<Repeated> {
  const outcomes: Once[] = [];
  const loads: number[] = [readLoad()];
  for (let run = 0; run < runs; run += 1) {
    outcomes.push(await once(run));
    loads.push(readLoad());
  }
  const peers = outcomes.flatMap(({ peer }) => (peer === null ? [] : [peer]));
  return {
    outcomes,
    weir: medianCost(outcomes.map(({ weir }) => weir)),
    peer: peers.length === 0 ? null : medianCost(peers),
    runs,
    peerRuns: peers.length,
    load: [Math.min(...loads), Math.max(...loads)],
  };
}

export interface Once {
  readonly weir: Cost;
  readonly peer: Cost | null;
}

export type Repeated = Pick<Figure, "weir" | "peer" | "runs" | "peerRuns" | "load"> & {
  readonly outcomes: readonly Once[];
};
