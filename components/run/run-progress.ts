import type { PlanView, Run } from "../api/outputs.ts";

export type Stage = NonNullable<Run["stage"]>;

/** A journal entry as it arrives; the procedure's output, spelt here because subscriptions have no inferred output. */
export type { RunEventView } from "./run-event.ts";

import type { RunEventView } from "./run-event.ts";

export const stageWord: Readonly<Record<Stage, string>> = {
  preflight: "Preflight",
  schemas: "Schemas",
  create: "Create",
  fill: "Fill",
  audit: "Audit",
  promotion: "Promote",
  fill_after: "Fill after",
  after: "After",
  verify: "Verify",
  finalise: "Finalise",
};

const stageOrder: readonly Stage[] = [
  "preflight",
  "schemas",
  "create",
  "fill",
  "audit",
  "promotion",
  "fill_after",
  "after",
  "verify",
  "finalise",
];

export interface StageProgress {
  readonly stage: Stage;
  readonly state: "done" | "now" | "stopped" | "to come";
  readonly done: number;
  readonly total: number;
}

export interface ActionProgress {
  readonly id: string;
  readonly state: "waiting" | "running" | "done" | "failed";
  readonly ms: number | null;
  readonly rows: number | null;
  /** Done by an earlier try; found, not repeated. */
  readonly found: boolean;
  readonly startedAt: string | null;
}

export interface RunProgress {
  readonly stages: readonly StageProgress[];
  readonly actions: ReadonlyMap<string, ActionProgress>;
  readonly done: number;
  readonly total: number;
  readonly running: readonly string[];
  readonly waiting: { readonly waitedMs: number; readonly blockers: readonly string[] } | null;
  /** When the names that readers use were switched. */
  readonly promotedAt: string | null;
  readonly promotionMs: number | null;
  readonly verified: number | null;
  readonly ended: Extract<RunEventView["event"], { kind: "run_ended" }> | null;
  readonly failed: Extract<RunEventView["event"], { kind: "action_failed" }> | null;
  readonly stopBy: string | null;
}

/** What the journal so far comes to. Pure, so that a resumed stream and a fresh page always show the same. */
export function progressOf(view: PlanView, events: readonly RunEventView[]): RunProgress {
  const actions = new Map<string, ActionProgress>(
    view.actions.map(({ id }) => [id, { id, state: "waiting", ms: null, rows: null, found: false, startedAt: null }]),
  );
  const change = (id: string, more: Partial<ActionProgress>) => {
    const known = actions.get(id) ?? { id, state: "waiting", ms: null, rows: null, found: false, startedAt: null };
    actions.set(id, { ...known, ...more });
  };
  const started = new Set<Stage>();
  const finished = new Set<Stage>();
  let state: Omit<RunProgress, "stages" | "actions" | "done" | "total" | "running"> = {
    waiting: null,
    promotedAt: null,
    promotionMs: null,
    verified: null,
    ended: null,
    failed: null,
    stopBy: null,
  };
  for (const { event, at } of events) {
    switch (event.kind) {
      case "run_started":
        // A resumed run goes on in the same journal: its earlier end no longer stands.
        state = { ...state, ended: null, failed: null, stopBy: null, waiting: null };
        break;
      case "stage_started":
        started.add(event.stage);
        break;
      case "stage_done":
        finished.add(event.stage);
        break;
      case "action_started":
        change(event.action, { state: "running", startedAt: at });
        break;
      case "action_done":
        change(event.action, { state: "done", ms: event.ms, rows: event.rows, found: event.found });
        break;
      case "action_failed":
        change(event.action, { state: "failed" });
        state = { ...state, failed: event };
        break;
      case "promotion_waiting":
        state = { ...state, waiting: { waitedMs: event.waitedMs, blockers: event.blockers } };
        break;
      case "promoted":
        state = { ...state, promotedAt: at, promotionMs: event.ms, waiting: null };
        break;
      case "verified":
        state = { ...state, verified: event.relations };
        break;
      case "stop_requested":
        state = { ...state, stopBy: event.by };
        break;
      case "run_ended":
        state = { ...state, ended: event };
        break;
      case "finalised":
        break;
    }
  }
  const all = [...actions.values()];
  return {
    ...state,
    stages: stagesOf(view, actions, started, finished, state.ended !== null && state.ended.state !== "applied"),
    actions,
    done: all.filter((each) => each.state === "done").length,
    total: all.length,
    running: state.ended === null ? all.filter((each) => each.state === "running").map(({ id }) => id) : [],
  };
}

function stagesOf(
  view: PlanView,
  actions: ReadonlyMap<string, ActionProgress>,
  started: ReadonlySet<Stage>,
  finished: ReadonlySet<Stage>,
  stopped: boolean,
): readonly StageProgress[] {
  const always: readonly Stage[] = ["preflight", "promotion", "verify", "finalise"];
  return stageOrder.flatMap((stage): StageProgress[] => {
    const ids = view.actions.filter((action) => action.stage === stage).map(({ id }) => id);
    if (ids.length === 0 && !always.includes(stage) && !started.has(stage)) return [];
    const done = ids.filter((id) => actions.get(id)?.state === "done").length;
    const state = finished.has(stage) ? "done" : started.has(stage) ? (stopped ? "stopped" : "now") : "to come";
    return [{ stage, state, done, total: ids.length }];
  });
}

export interface ObjectProgress {
  readonly key: string;
  readonly actions: readonly ActionProgress[];
  readonly done: number;
  readonly state: "running" | "failed" | "waiting" | "done";
  readonly ms: number;
  readonly rows: number | null;
}

/** Actions gathered by the model they belong to; what belongs to none stands for itself. */
export function objectProgress(view: PlanView, progress: RunProgress): readonly ObjectProgress[] {
  const groups = new Map<string, ActionProgress[]>();
  for (const { id, model, title } of view.actions) {
    const action = progress.actions.get(id);
    if (action === undefined) continue;
    const key = model ?? title;
    groups.set(key, [...(groups.get(key) ?? []), action]);
  }
  return [...groups].map(([key, actions]) => {
    const done = actions.filter(({ state }) => state === "done").length;
    const failed = actions.some(({ state }) => state === "failed");
    const running = progress.ended === null && actions.some(({ state }) => state === "running");
    const rows = actions.flatMap((action) => action.rows ?? []);
    return {
      key,
      actions,
      done,
      state: failed ? "failed" : running ? "running" : done === actions.length ? "done" : "waiting",
      ms: actions.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
      rows: rows.length === 0 ? null : rows.reduce((sum, each) => sum + each, 0),
    };
  });
}
