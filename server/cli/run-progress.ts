import { problemSentence } from "../core/base/problem-sentence.ts";
import { assertNever } from "../core/base/result.ts";
import { durationText } from "../core/review/applied-line.ts";
import { countText } from "../core/review/object-text.ts";
import type { ActionView } from "../core/review/plan-view.ts";
import type { RunEvent, RunStage } from "../core/stage/run.ts";
import { stageText } from "./print-actions.ts";
import type { Terminal } from "./terminal.ts";

/** What a run has done so far, as its events tell. */
export interface RunTally {
  readonly done: ReadonlySet<string>;
  readonly running: string | null;
  readonly stage: RunStage | null;
  readonly promoted: boolean;
}

export interface RunProgress {
  readonly show: (event: RunEvent) => void;
  readonly tally: () => RunTally;
  /** Ends redrawing; to be called whatever the end was. */
  readonly close: () => void;
}

const REDRAW_MS = 100;
const BAR_WIDTH = 20;

/** From here on people wonder what takes so long. */
const SLOW_MS = 1_000;

/** A bar where somebody sits, a line an action elsewhere, a JSON line an event with --json. `now` in milliseconds. */
export function openRunProgress(terminal: Terminal, actions: readonly ActionView[], now: () => number): RunProgress {
  const titles = new Map(actions.map((action) => [action.id, action.title]));
  const total = actions.length;
  const done = new Set<string>();
  const startedAt = now();
  let running: { readonly action: string; readonly since: number } | null = null;
  let stage: { readonly name: RunStage; readonly since: number; readonly before: number } | null = null;
  let waiting: string | null = null;
  let promoted = false;

  const titleOf = (action: string) => titles.get(action) ?? action;
  const paint = terminal.notePaint;

  const draw = () => {
    const filled = total === 0 ? BAR_WIDTH : Math.round((done.size / total) * BAR_WIDTH);
    const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
    const since = running === null ? 0 : now() - running.since;
    const took = since < SLOW_MS ? "" : ` ${durationText(since)}`;
    const where = stage === null ? "" : `${stageText(stage.name)}${took}: `;
    const what = waiting ?? (running === null ? "" : titleOf(running.action));
    terminal.live(
      `${bar} ${done.size} of ${total}, ${durationText(now() - startedAt)}  ${paint("strong", where)}${what}`,
    );
  };
  const timer = terminal.interactive ? setInterval(draw, REDRAW_MS) : null;
  timer?.unref();

  const line = (text: string) => {
    if (!terminal.json) terminal.note(text);
  };
  const count = () => `[${String(done.size).padStart(String(total).length)}/${total}]`;

  const take = ({ event }: RunEvent): void => {
    switch (event.kind) {
      case "run_started":
        if (event.resumed) line("Going on where the last attempt stopped.");
        return;
      case "stage_started":
        stage = { name: event.stage, since: now(), before: done.size };
        return;
      case "stage_done":
        if (terminal.interactive && stage !== null && done.size > stage.before) {
          const actionsDone = done.size - stage.before;
          const took = durationText(now() - stage.since);
          line(
            `${paint("good", "done")} ${stageText(event.stage).padEnd(10)} ${countText(actionsDone, "action")}, ${took}`,
          );
        }
        stage = null;
        return;
      case "action_started":
        running = { action: event.action, since: now() };
        return;
      case "action_done": {
        const fresh = !done.has(event.action);
        done.add(event.action);
        if (running?.action === event.action) running = null;
        waiting = null;
        if (!terminal.interactive && fresh) {
          const rows = event.rows === null ? "" : `, ${countText(event.rows, "row")}`;
          const found = event.found ? ", found done" : "";
          line(`${count()} ${titleOf(event.action)} (${durationText(event.ms)}${rows}${found})`);
        }
        return;
      }
      case "action_failed":
        running = null;
        if (event.problem.code === "run_interrupted") return;
        line(`${paint("blocked", "failed")} ${titleOf(event.action)}: ${problemSentence(event.problem)}`);
        return;
      case "promotion_waiting":
        waiting = `waiting for locks, try ${event.attempt}, ${durationText(event.waitedMs)}: ${event.blockers.join("; ")}`;
        if (!terminal.interactive) line(waiting);
        return;
      case "promoted":
        promoted = true;
        waiting = null;
        return;
      case "stop_requested":
        line(`${event.by} asked this run to stop; it ends at the next safe point.`);
        return;
      case "verified":
      case "finalised":
      case "run_ended":
        return;
      default:
        assertNever(event);
    }
  };

  return {
    show: (event) => {
      take(event);
      const { kind, ...rest } = event.event;
      const { run, seq, at } = event;
      terminal.event({ event: kind, run, seq, at, done: done.size, total, ...rest });
      if (terminal.interactive) draw();
    },
    tally: () => ({ done, running: running?.action ?? null, stage: stage?.name ?? null, promoted }),
    close: () => {
      if (timer !== null) clearInterval(timer);
      terminal.live(null);
    },
  };
}
