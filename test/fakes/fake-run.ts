import type { PlanView } from "../../server/core/review/plan-view.ts";
import type { Run, RunEvent, RunHappening, RunStage } from "../../server/core/stage/run.ts";

/** The happenings of carrying out a plan, in order, as the evaluator would record them. */
export function happeningsOf(view: PlanView, options: { readonly failAt?: number } = {}): readonly RunHappening[] {
  const all: RunHappening[] = [{ kind: "run_started", by: "noor", total: view.actions.length, resumed: false }];
  const stage = (name: RunStage, actions: number, inside: readonly RunHappening[]) => {
    all.push({ kind: "stage_started", stage: name, actions }, ...inside, { kind: "stage_done", stage: name });
  };
  stage("preflight", 0, []);
  let number = 0;
  for (const name of ["create", "fill", "promotion"] as const) {
    const actions = view.actions.filter((action) => action.stage === name);
    if (actions.length === 0) continue;
    all.push({ kind: "stage_started", stage: name, actions: actions.length });
    for (const action of actions) {
      number += 1;
      all.push({ kind: "action_started", action: action.id });
      if (number === options.failAt) {
        const problem = {
          code: "action_failed" as const,
          place: null,
          action: action.title,
          target: action.model ?? action.target.name,
          sqlstate: "22012",
          message: "division by zero",
        };
        all.push(
          { kind: "action_failed", action: action.id, problem },
          {
            kind: "run_ended",
            state: "failed",
            problems: [problem],
            line: `Failed at ${number} of ${view.actions.length}: ${action.model}.`,
          },
        );
        return all;
      }
      all.push({
        kind: "action_done",
        action: action.id,
        ms: 4 + ((number * 37) % 900),
        rows: name === "fill" ? 41_204 + number : null,
        found: false,
      });
      if (name === "promotion" && action === actions[0]) {
        all.push({
          kind: "promotion_waiting",
          attempt: 1,
          waitedMs: 250,
          blockers: ["pid 4711 of metabase, SELECT for 3 s"],
        });
      }
    }
    if (name === "promotion") all.push({ kind: "promoted", promotion: 8, ms: 61, found: false });
    all.push({ kind: "stage_done", stage: name });
  }
  stage("verify", 0, [{ kind: "verified", relations: 15 }]);
  stage("finalise", 0, [{ kind: "finalised" }]);
  const { create, replace, drop } = view.summary;
  all.push({
    kind: "run_ended",
    state: "applied",
    problems: [],
    line: `Applied: ${create} created, ${replace} replaced, ${drop} dropped, 0 lost in 12 s.`,
  });
  return all;
}

export class FakeRun {
  readonly events: RunEvent[] = [];
  run: Run;
  private readonly waiting = new Set<() => void>();

  constructor(run: Pick<Run, "id" | "planId" | "environment" | "startedAt">, total: number) {
    this.run = {
      ...run,
      project: "shop",
      state: "running",
      startedBy: "noor",
      endedAt: null,
      stage: null,
      done: 0,
      total,
    };
  }

  happen(event: RunHappening, at: string): void {
    this.events.push({ run: this.run.id, seq: this.events.length + 1, at, event });
    if (event.kind === "action_done") this.run = { ...this.run, done: this.run.done + 1 };
    if (event.kind === "stage_started") this.run = { ...this.run, stage: event.stage };
    if (event.kind === "run_ended") this.run = { ...this.run, state: event.state, endedAt: at };
    if (event.kind === "stop_requested") this.run = { ...this.run, state: "stopping" };
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  async *follow(after: number, signal: { readonly aborted: boolean }): AsyncGenerator<RunEvent, void> {
    let next = after;
    while (!signal.aborted) {
      const event = this.events[next];
      if (event !== undefined) {
        next += 1;
        yield event;
      } else if (this.run.state !== "running" && this.run.state !== "stopping") return;
      else await this.change(signal);
    }
  }

  private change(signal: { readonly aborted: boolean }): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.add(resolve);
      if (signal instanceof AbortSignal) signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
