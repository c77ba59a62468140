import type { PlanView } from "../api/outputs.ts";
import { ClockTime, durationText } from "../ui/clock.tsx";
import { splitName } from "../ui/split-name.ts";
import type { RunEventView } from "./run-event.ts";
import { stageWord } from "./run-progress.ts";

type Level = "info" | "wait" | "error";

interface Entry {
  readonly level: Level;
  readonly subject: string;
  readonly text: string;
}

function entryOf({ event }: RunEventView, actions: ReadonlyMap<string, PlanView["actions"][number]>): Entry | null {
  const subjectOf = (id: string) => {
    const action = actions.get(id);
    return action === undefined ? id : splitName(action.model ?? action.target.name).name;
  };
  const kindOf = (id: string) => actions.get(id)?.kind.replaceAll("_", " ") ?? id;
  const info = (subject: string, text: string): Entry => ({ level: "info", subject, text });
  switch (event.kind) {
    case "run_started":
      return info("run", `${event.resumed ? "resumed" : "started"} by ${event.by}, ${event.total} actions`);
    case "stage_started":
      return event.actions === 0
        ? null
        : info(stageWord[event.stage], `begins, ${event.actions} action${event.actions === 1 ? "" : "s"}`);
    case "stage_done":
      return info(stageWord[event.stage], "done");
    case "action_started":
      return null;
    case "action_done":
      return info(
        subjectOf(event.action),
        event.found
          ? `${kindOf(event.action)} was already done, found by its marker`
          : `${kindOf(event.action)}, ${durationText(event.ms)}${event.rows === null ? "" : `, ${event.rows.toLocaleString("en")} rows`}`,
      );
    case "action_failed":
      return { level: "error", subject: subjectOf(event.action), text: event.problem.sentence };
    case "promotion_waiting":
      return {
        level: "wait",
        subject: "Promote",
        text: `waited ${durationText(event.waitedMs)} for locks, try ${event.attempt}; held by ${event.blockers.join("; ") || "nobody that the server names"}`,
      };
    case "promoted":
      return info(
        "Promote",
        event.found
          ? "was already committed, found by its marker"
          : `all names switched in ${durationText(event.ms)}, promotion ${event.promotion}`,
      );
    case "verified":
      return info("Verify", `${event.relations} relations are as the plan says`);
    case "finalised":
      return info("Finalise", "recorded in state");
    case "stop_requested":
      return { level: "wait", subject: "run", text: `${event.by} asked it to stop` };
    case "run_ended":
      return { level: event.state === "applied" ? "info" : "error", subject: "run", text: event.line };
  }
}

const levelWord: Readonly<Record<Level, string>> = { info: "info", wait: "wait", error: "error" };

/** Newest first. */
export function RunLog({ view, events }: { readonly view: PlanView; readonly events: readonly RunEventView[] }) {
  const actions = new Map(view.actions.map((action) => [action.id, action]));
  const entries = events.flatMap((event) => {
    const entry = entryOf(event, actions);
    return entry === null ? [] : [{ ...entry, seq: event.seq, at: event.at }];
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard.
    <ol className="log" tabIndex={0} aria-label="Log, newest first">
      {entries.reverse().map(({ seq, at, level, subject, text }) => (
        <li key={seq} className={level === "wait" ? "warn" : level === "error" ? "bad-line" : ""}>
          <ClockTime at={at} millis />
          <span className="lv">{levelWord[level]}</span>
          <b>{subject}</b>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
