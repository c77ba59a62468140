import type { BenchServer } from "./bench-server.ts";
import type { Figure } from "./figure.ts";
import type { Tool } from "./tools.ts";

/** What a measurement has at hand. */
export interface Bench {
  readonly server: BenchServer;
  readonly weir: Tool;
  /** Null where SQLMesh isn't there: limits remain. */
  readonly peer: Tool | null;
  /** A folder of its own that is removed at the end. */
  readonly folder: string;
  /** How often, where once takes seconds; what takes less is done more often. */
  readonly runs: number;
  /** The peer takes minutes for what Weir does in seconds; of its runs fewer are needed to know the ratio. */
  readonly peerRuns: number;
}

export type Measurement = (bench: Bench, report: (figure: Figure) => void) => Promise<void>;
