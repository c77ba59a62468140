import type { PlanView } from "../api/outputs.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { ObjectName } from "../ui/object-name.tsx";
import { OwnerTag } from "../ui/owner-tag.tsx";
import { spellName } from "../ui/split-name.ts";
import { actionSentence, limitWords } from "./action-words.ts";
import type { ObjectRow } from "./object-rows.ts";

type Change = PlanView["changes"][number];
type Action = PlanView["actions"][number];
type Dependent = PlanView["dependents"][number];

export function WhatHappens({
  actions,
  dependent,
  row,
}: {
  readonly actions: readonly Action[];
  readonly dependent: Dependent | null;
  readonly row: ObjectRow;
}) {
  if (actions.length === 0) {
    return (
      <div className="empty">
        <b>{row.fate === "blocked" ? "Nothing happens while this blocks the plan" : "Nothing is done to it"}</b>
        <p>
          {dependent === null
            ? row.why === "unchanged"
              ? "It is in the project and this plan leaves it as it is."
              : `${row.why}.`
            : `${dependent.why}.`}
        </p>
      </div>
    );
  }
  return (
    <ol className="steps">
      {actions.map((action) => (
        <li key={action.id}>
          <span>{actionSentence(action)}</span>
          <span className="at">{action.stage.replace("_", " ")}</span>
          {action.whyNotLower.map((why) => (
            <span className="muted wide" key={why}>
              {why}
            </span>
          ))}
          {action.statements.map((statement) => (
            <div className="wide" key={statement.sql}>
              <pre className="sql boxed">{statement.sql}</pre>
              <p className="limits">{limitWords(statement)}</p>
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}

export function ColumnChanges({ change }: { readonly change: Change | null }) {
  const columns = change?.columns;
  const total = columns === undefined ? 0 : columns.added.length + columns.removed.length + columns.retyped.length;
  if (columns === undefined || (total === 0 && !columns.reordered)) {
    return (
      <div className="empty">
        <b>No column changes</b>
        <p>Names and types of its columns stay as they are.</p>
      </div>
    );
  }
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Was</th>
          <th scope="col">Is</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {columns.removed.map(({ name, type }) => (
          <tr key={`- ${name}`}>
            <th scope="row" className="mono">
              {name}
            </th>
            <td className="mono t2">{type}</td>
            <td className="muted">–</td>
            <td>
              <span className="word-drop">- removed</span>
            </td>
          </tr>
        ))}
        {columns.retyped.map(({ name, from, to }) => (
          <tr key={`~ ${name}`}>
            <th scope="row" className="mono">
              {name}
            </th>
            <td className="mono t2">{from}</td>
            <td className="mono t2">{to}</td>
            <td>
              <span className="word-change">~ retyped</span>
            </td>
          </tr>
        ))}
        {columns.added.map(({ name, type }) => (
          <tr key={`+ ${name}`}>
            <th scope="row" className="mono">
              {name}
            </th>
            <td className="muted">–</td>
            <td className="mono t2">{type}</td>
            <td>
              <span className="word-create">+ added</span>
            </td>
          </tr>
        ))}
        {columns.reordered && (
          <tr>
            <td colSpan={4} className="t2">
              The others keep name and type in another order.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface DependentsProps {
  readonly view: PlanView;
  readonly row: ObjectRow;
  readonly rows: ReadonlyMap<string, ObjectRow>;
  readonly onOpen: (id: string) => void;
}

/** What reads this object, ours and others', with the columns each uses and what becomes of it. */
export function Dependents({ view, row, rows, onOpen }: DependentsProps) {
  const readers = view.graph.edges.filter((edge) => edge.from === row.id);
  if (readers.length === 0) {
    return (
      <div className="empty">
        <b>Nothing reads it</b>
        <p>Neither a model of the project nor an object outside it that the catalog knows of.</p>
      </div>
    );
  }
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col">Uses</th>
          <th scope="col">Fate</th>
        </tr>
      </thead>
      <tbody>
        {readers.map(({ to, certain }) => {
          const reader = rows.get(to);
          if (reader === undefined) return null;
          return (
            <tr key={to}>
              <td>
                <span className="obj">
                  {reader.fate === null ? (
                    <span className="sym none xs" aria-hidden="true" />
                  ) : (
                    <FateSymbol fate={reader.fate} small label />
                  )}
                  <button className="plain" type="button" onClick={() => onOpen(to)}>
                    <ObjectName name={reader.name} />
                  </button>
                  {!reader.managed && <OwnerTag owner={reader.owner} />}
                </span>
              </td>
              <td className="mono t2 wrap">{usedColumns(view, row, reader, certain)}</td>
              <td className="t2 wrap">{reader.why}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function usedColumns(view: PlanView, row: ObjectRow, reader: ObjectRow, certain: boolean): string {
  const dependent = view.dependents.find(({ object }) => spellName(object) === reader.name);
  const use = dependent?.of.find(({ object }) => spellName(object) === row.name);
  if (use === undefined) return certain ? "by its query" : "unknown";
  return use.columns === "unknown" ? "unknown, so all" : use.columns.join(", ");
}

/** The way back to the line that somebody edited. */
export function Why({
  change,
  row,
  dependent,
}: {
  readonly change: Change | null;
  readonly row: ObjectRow;
  readonly dependent: Dependent | null;
}) {
  if (change === null) {
    return (
      <div className="empty">
        <b>{dependent === null ? "This plan doesn't change it" : "It depends on what this plan changes"}</b>
        <p>{dependent === null ? "It is shown because it is part of the project." : dependent.why}</p>
      </div>
    );
  }
  const way = [...change.path].reverse();
  const file = (change.current ?? change.previous)?.path;
  return (
    <ol className="steps">
      {way.map((model, index) => (
        <li key={model}>
          <span>
            {index === 0 ? (
              <>
                <b className="mono">{model}</b> was{" "}
                {change.change === "added" ? "added" : change.change === "removed" ? "removed" : "edited"}
                {model === row.id && file !== undefined && (
                  <>
                    {" "}
                    in <b className="mono">{file}</b>
                  </>
                )}
                .
              </>
            ) : (
              <>
                <b className="mono">{model}</b> reads it.
              </>
            )}
          </span>
        </li>
      ))}
      {change.reasons.map((reason) => (
        <li key={reason}>
          <span>{reason}.</span>
          <span className="at">{change.category ?? ""}</span>
        </li>
      ))}
    </ol>
  );
}
