import Link from "next/link";
import type { PlanView } from "../api/outputs.ts";
import { durationText } from "../ui/clock.tsx";
import type { Fate } from "../ui/fate.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { objectLink } from "../ui/links.ts";
import { ObjectName } from "../ui/object-name.tsx";
import { type ObjectProgress, objectProgress, type RunProgress } from "./run-progress.ts";

const groups: readonly {
  readonly state: ObjectProgress["state"];
  readonly title: string;
  readonly word: string;
  readonly tone: string;
}[] = [
  { state: "failed", title: "Failed", word: "failed", tone: "bad" },
  { state: "running", title: "Running now", word: "running", tone: "on" },
  { state: "waiting", title: "Waiting", word: "waits", tone: "" },
  { state: "done", title: "Done", word: "done", tone: "ok" },
];

export function RunObjects({ view, progress }: { readonly view: PlanView; readonly progress: RunProgress }) {
  const objects = objectProgress(view, progress);
  return (
    <table className="rows flat">
      <caption className="sr">Progress by object</caption>
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col" className="r-state">
            State
          </th>
          <th scope="col" className="r-strip">
            Actions
          </th>
          <th scope="col" className="r">
            Done
          </th>
          <th scope="col" className="r r-rate">
            Rows
          </th>
          <th scope="col" className="r r-el">
            Took
          </th>
        </tr>
      </thead>
      {groups.map(({ state, title, word, tone }) => {
        const inside = objects.filter((each) => each.state === state);
        if (inside.length === 0) return null;
        return (
          <tbody key={state}>
            <tr className="group">
              <th colSpan={6} scope="rowgroup">
                {title} <span className="count">{inside.length}</span>
              </th>
            </tr>
            {inside.map((object) => (
              <Row
                key={object.key}
                object={object}
                view={view}
                word={object.done > 0 && state === "waiting" ? "waits for its stage" : word}
                tone={tone}
              />
            ))}
          </tbody>
        );
      })}
    </table>
  );
}

interface RowProps {
  readonly object: ObjectProgress;
  readonly view: PlanView;
  readonly word: string;
  readonly tone: string;
}

function Row({ object, view, word, tone }: RowProps) {
  const fate: Fate = view.changes.find(({ model }) => model === object.key)?.mark ?? "create";
  const isModel = view.graph.nodes.some(({ id }) => id === object.key);
  const total = object.actions.length;
  return (
    <tr aria-selected={object.state === "running" || object.state === "failed"}>
      <td>
        <span className="obj">
          <FateSymbol fate={fate} label />
          <span className="on">
            {isModel ? (
              <Link href={objectLink(view.id, object.key, "objects")} data-row>
                <ObjectName name={object.key} />
              </Link>
            ) : (
              <b>{object.key}</b>
            )}
            <span className="sub">
              {word}, {object.done} of {total}
            </span>
          </span>
        </span>
      </td>
      <td className="r-state">
        <span className={`doing ${tone}`}>{word}</span>
      </td>
      <td className="r-strip">
        <span className="strip" role="img" aria-label={`${object.done} of ${total} actions done`}>
          {object.actions.map(({ id, state }) => (
            <i
              key={id}
              className={state === "done" ? "d" : state === "running" ? "r" : state === "failed" ? "f" : ""}
            />
          ))}
        </span>
      </td>
      <td className="r num">
        {object.done} of {total}
      </td>
      <td className="r r-rate num t2">{object.rows === null ? "–" : object.rows.toLocaleString("en")}</td>
      <td className="r r-el num t2">{object.done === 0 ? "–" : durationText(object.ms)}</td>
    </tr>
  );
}
