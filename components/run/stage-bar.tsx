import { Check, OctagonAlert } from "lucide-react";
import { type StageProgress, stageWord } from "./run-progress.ts";

const classOf = { done: "done", now: "now", stopped: "broken", "to come": "todo" } as const;

/** Where the run is. Wide where there is much to do. */
export function StageBar({ stages }: { readonly stages: readonly StageProgress[] }) {
  return (
    <ol className="stages" aria-label="Stages">
      {stages.map(({ stage, state, done, total }) => (
        <li
          key={stage}
          className={classOf[state]}
          style={{ flex: 1 + Math.min(Math.sqrt(total) / 3, 2) }}
          aria-current={state === "now" ? "step" : undefined}
        >
          <span className="seg-b">
            {(state === "now" || state === "stopped") && (
              <i style={{ width: `${total === 0 ? 50 : (100 * done) / total}%` }} />
            )}
          </span>
          <span className="lab">
            {state === "done" && <Check className="i s" aria-hidden="true" />}
            {state === "stopped" && <OctagonAlert className="i s no" aria-hidden="true" />}
            <b>{stageWord[stage]}</b>
            {total > 0 && (
              <span className="num">
                {done} of {total}
              </span>
            )}
            <span className="sr">, {state}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
