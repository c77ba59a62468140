import "server-only";
import type { PlanView } from "../../server/core/review/plan-view.ts";
import { limitWords } from "../objects/action-words.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { SqlText } from "./sql-text.tsx";

const stageWords: Readonly<Record<string, string>> = {
  schemas: "Schemas",
  create: "Create, beside what serves",
  fill: "Fill",
  audit: "Audit",
  promotion: "Promotion, in one transaction",
  fill_after: "Fill what already serves",
  after: "After the promotion",
};

/** Colouring thousands of statements would take longer than reading them; beyond this they are plain. */
const COLOURED = 400;

/** Every statement in full, in the order in which it will run, byte for byte. */
export function StatementList({ view }: { readonly view: PlanView }) {
  const stages = [...new Set(view.actions.map(({ stage }) => stage))];
  const all = view.actions.flatMap((action) => action.statements.map(({ sql }) => sql));
  const plain = all.length > COLOURED;
  return (
    <main className="work" id="main">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
      <section className="pane" aria-label="Statements" tabIndex={0}>
        <div className="toolbar">
          <span className="strong nowrap">
            {all.length} statement{all.length === 1 ? "" : "s"} in {view.actions.length} actions
          </span>
          <span className="muted only-l">exactly what will run, in this order; none asks for CASCADE</span>
          <span className="grow" />
          <CopyButton text={`${all.join(";\n\n")};\n`} label="Copy all statements" />
        </div>
        {all.length === 0 && (
          <div className="empty">
            <b>No statement will run</b>
            <p>
              {view.result === "blocked"
                ? "The plan is blocked; its statements are worked out once that is resolved."
                : "The environment already matches the project."}
            </p>
          </div>
        )}
        <div className="statements">
          {stages.map((stage) => (
            <section key={stage} aria-label={stageWords[stage] ?? stage}>
              <h2>
                {stageWords[stage] ?? stage}{" "}
                <span className="count">{view.actions.filter((action) => action.stage === stage).length}</span>
              </h2>
              {view.actions
                .filter((action) => action.stage === stage)
                .map((action) => (
                  <article className="statement" key={action.id} id={action.id}>
                    <header>
                      <span className="muted num">{action.id}</span>
                      <b>{action.title}</b>
                      {action.because !== null && action.because !== action.model && (
                        <span className="muted">because of {action.because}</span>
                      )}
                      {!action.reversible && <span className="badge line">can't be undone</span>}
                    </header>
                    {action.statements.map((statement) => (
                      <div key={statement.sql}>
                        <div className="boxed-sql">
                          {plain ? <pre className="sql">{statement.sql}</pre> : <SqlText sql={statement.sql} />}
                        </div>
                        <p className="limits">{limitWords(statement)}</p>
                      </div>
                    ))}
                  </article>
                ))}
            </section>
          ))}
        </div>
      </section>
    </main>
  );
}
