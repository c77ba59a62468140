import type { Problem } from "../base/problem.ts";
import type { ActionStage } from "../plan/action.ts";

/** One carrying-out of a plan. A resumed run is the same run: its journal goes on where it ended. */
export interface Run {
  readonly id: string;
  readonly planId: string;
  readonly project: string;
  readonly environment: string;
  readonly state: RunState;
  readonly startedBy: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly stage: RunStage | null;
  /** Actions recorded as done, of all. */
  readonly done: number;
  readonly total: number;
}

/** `interrupted`: stopped or died with work left; resumable. `failed`: ended by an error; resumable too unless discarded. */
export type RunState = "running" | "stopping" | "applied" | "failed" | "interrupted" | "discarded";

export type RunStage = "preflight" | ActionStage | "verify" | "finalise";

/** What happened, in order; the journal and the live progress are the same list. `seq` is per run, from 1, without gaps. */
export interface RunEvent {
  readonly run: string;
  readonly seq: number;
  readonly at: string;
  readonly event: RunHappening;
}

export type RunHappening =
  | { readonly kind: "run_started"; readonly by: string; readonly total: number; readonly resumed: boolean }
  | { readonly kind: "stage_started"; readonly stage: RunStage; readonly actions: number }
  | { readonly kind: "stage_done"; readonly stage: RunStage }
  | { readonly kind: "action_started"; readonly action: string }
  | {
      readonly kind: "action_done";
      readonly action: string;
      readonly ms: number;
      readonly rows: number | null;
      readonly found: boolean;
    }
  | { readonly kind: "action_failed"; readonly action: string; readonly problem: Problem }
  | {
      readonly kind: "promotion_waiting";
      readonly attempt: number;
      readonly waitedMs: number;
      readonly blockers: readonly string[];
    }
  | { readonly kind: "promoted"; readonly promotion: number; readonly ms: number; readonly found: boolean }
  | { readonly kind: "verified"; readonly relations: number }
  | { readonly kind: "finalised" }
  | { readonly kind: "stop_requested"; readonly by: string }
  | {
      readonly kind: "run_ended";
      readonly state: "applied" | "failed" | "interrupted";
      readonly problems: readonly Problem[];
      readonly line: string;
    };
