import { Check, OctagonAlert, Square } from "lucide-react";
import type { PlanView, Run } from "../api/outputs.ts";
import type { RunEventView } from "./run-event.ts";
import { RunLog } from "./run-log.tsx";
import type { RunProgress } from "./run-progress.ts";
import type { RunFeed } from "./use-run-events.ts";

interface RunAsideProps {
  readonly view: PlanView;
  readonly run: Run;
  readonly events: readonly RunEventView[];
  readonly progress: RunProgress;
  readonly connection: RunFeed["connection"];
}

const connectionWord = { connecting: "connecting", live: "live", lost: "connection lost", ended: "complete" } as const;

/** What stopping would mean, or how it ended; and the log. */
export function RunAside({ view, run, events, progress, connection }: RunAsideProps) {
  return (
    <aside className="beside" aria-label="Outcome and log">
      <section className="stopnote" id="stop-note">
        <Outcome view={view} run={run} progress={progress} />
      </section>
      <section className="logbox">
        <div className="row lh">
          <h2>Log</h2>
          <span className="muted num">{events.length} entries</span>
          <span className="grow" />
          <span className="muted nowrap" role="status">
            {connection === "live" && <span className="beat s" aria-hidden="true" />} {connectionWord[connection]}
          </span>
        </div>
        <RunLog view={view} events={events} />
      </section>
    </aside>
  );
}

function Outcome({ view, run, progress }: Pick<RunAsideProps, "view" | "run" | "progress">) {
  const { environment } = run;
  const switched = progress.promotedAt !== null;
  const { ended, failed } = progress;
  const left = progress.total - progress.done;
  if (ended?.state === "failed") {
    const action = view.actions.find(({ id }) => id === failed?.action);
    const problems = ended.problems.length > 0 ? ended.problems : failed === null ? [] : [failed.problem];
    return (
      <div role="alert">
        <h2>
          <OctagonAlert className="i no" aria-hidden="true" />
          What failed
        </h2>
        {problems.map(({ sentence }) => (
          <p key={sentence} className="wrap">
            {sentence}
          </p>
        ))}
        {action?.statements.map(({ sql }) => (
          <pre className="sql boxed" key={sql}>
            {sql}
          </pre>
        ))}
        <p>
          <b>
            {switched
              ? `All names were switched before: ${environment} serves this plan.`
              : `Nothing was switched: ${environment} serves what it did before.`}
          </b>{" "}
          {progress.done} actions are done and kept, {left} are not. Resolve the cause, then resume; nothing is done
          twice.
        </p>
      </div>
    );
  }
  if (ended?.state === "interrupted" || run.state === "interrupted") {
    return (
      <>
        <h2>
          <Square className="i fill" aria-hidden="true" />
          Stopped
        </h2>
        <p>
          <b>{switched ? `${environment} serves this plan.` : `${environment} serves what it did before.`}</b>{" "}
          {progress.done} actions are done and kept, {left} are left. Resuming goes on from there.
        </p>
      </>
    );
  }
  if (ended !== null) {
    return (
      <>
        <h2>
          <Check className="i ok" aria-hidden="true" />
          Result
        </h2>
        <p>{ended.line}</p>
      </>
    );
  }
  return (
    <>
      <h2>
        <Square className="i fill" aria-hidden="true" />
        If you stop now
      </h2>
      <p>
        What runs now is finished or undone as a whole.{" "}
        <b>{switched ? `${environment} keeps serving this plan` : `${environment} stays as it was`}</b>, readers see no
        change. {progress.done} finished actions are kept and a resume goes on from there.
      </p>
    </>
  );
}
