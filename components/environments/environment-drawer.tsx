import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { InspectedObject } from "../api/outputs.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { OwnerTag } from "../ui/owner-tag.tsx";
import { spellName } from "../ui/split-name.ts";

interface EnvironmentDrawerProps {
  readonly object: InspectedObject;
  readonly order: readonly string[];
  readonly onOpen: (model: string) => void;
  readonly onClose: () => void;
}

/** One name of an environment: what it points at, its columns as readers get them, and who reads it. */
export function EnvironmentDrawer({ object, order, onOpen, onClose }: EnvironmentDrawerProps) {
  const place = order.indexOf(object.model);
  const before = order[place - 1];
  const after = order[place + 1];
  const types = new Map(object.columns.map(({ name, type }) => [name, type]));
  const reordered = object.served.some((name, index) => object.columns[index]?.name !== name);
  return (
    <aside className="drawer open" aria-label={object.model}>
      <header className="padded">
        <div className="row">
          <h2>{object.model}</h2>
          <span className="kind">{object.kind.replaceAll("_", " ")}</span>
          <span className="grow" />
          <button
            className="icon-btn"
            type="button"
            data-key="["
            aria-label="Previous object"
            disabled={before === undefined}
            onClick={() => before !== undefined && onOpen(before)}
          >
            <ChevronUp className="i" aria-hidden="true" />
          </button>
          <button
            className="icon-btn"
            type="button"
            data-key="]"
            aria-label="Next object"
            disabled={after === undefined}
            onClick={() => after !== undefined && onOpen(after)}
          >
            <ChevronDown className="i" aria-hidden="true" />
          </button>
          <button className="icon-btn" type="button" data-key="Escape" aria-label="Close, Esc" onClick={onClose}>
            <X className="i" aria-hidden="true" />
          </button>
        </div>
        {object.description !== null && <p className="t2">{object.description}</p>}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
      <section className="body" aria-label="Details" tabIndex={0}>
        <section className="blk">
          <h3>Readers use</h3>
          <Name relation={object.view} none="It has no view: it is inlined into what reads it." />
          <h3 className="second">It points at</h3>
          <Name relation={object.relation} none="It has no object of its own." />
          {object.missing.length > 0 && (
            <p className="err">
              Not in the catalog: {object.missing.map(spellName).join(", ")}. The next plan of this environment makes it
              again.
            </p>
          )}
        </section>
        <section className="blk">
          <h3>
            Columns{" "}
            <span className="muted">
              {reordered
                ? "in the order that readers get, which differs from the model's"
                : "in the order that readers get"}
            </span>
          </h3>
          <table className="rows flat">
            <thead className="sr">
              <tr>
                <th scope="col">Place</th>
                <th scope="col">Column</th>
                <th scope="col">Type</th>
              </tr>
            </thead>
            <tbody>
              {object.served.map((name, index) => (
                <tr key={name}>
                  <td className="muted num">{index + 1}</td>
                  <td className="mono">{name}</td>
                  <td className="mono t2">{types.get(name) ?? "unknown"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <section className="blk">
          <h3>
            Read by{" "}
            <span className="muted">
              {object.dependents.length === 0 ? "nothing that the catalog knows of" : object.dependents.length}
            </span>
          </h3>
          <ul className="deps">
            {object.dependents.map((dependent) => (
              <li key={`${dependent.object.type} ${spellName(dependent.object)}`}>
                <span className="mono full">{spellName(dependent.object)}</span>
                <span className="kind">{dependent.object.type}</span>
                <OwnerTag owner={dependent.owner} />
                <span className="muted">
                  {dependent.uses
                    .map(({ columns }) => (columns === "unknown" ? "all columns" : columns.join(", ")))
                    .join("; ")}
                </span>
              </li>
            ))}
          </ul>
        </section>
        <section className="blk">
          <h3>Version</h3>
          <p>
            {object.version === null ? "It has none." : <span className="mono">{object.version}</span>}
            {object.owner !== null && <> Looked after by {object.owner}.</>}
          </p>
        </section>
      </section>
    </aside>
  );
}

interface NameProps {
  readonly relation: { readonly schema: string; readonly name: string } | null;
  readonly none: string;
}

function Name({ relation, none }: NameProps) {
  if (relation === null) return <p>{none}</p>;
  return (
    <p className="mono full-name">
      {spellName(relation)} <CopyButton text={spellName(relation)} label="Copy the name" />
    </p>
  );
}
