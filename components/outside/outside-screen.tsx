"use client";

import { Check, CopyIcon, OctagonAlert } from "lucide-react";
import Link from "next/link";
import type { CSSProperties } from "react";
import type { PlanView } from "../api/outputs.ts";
import { dependentId, kindWord, nameOf } from "../objects/object-rows.ts";
import { usePlan } from "../plan/use-plan.ts";
import { type Fate, fateOrder, fateWord } from "../ui/fate.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { objectLink } from "../ui/links.ts";
import { ObjectName } from "../ui/object-name.tsx";
import { OwnerTag } from "../ui/owner-tag.tsx";
import { spellName } from "../ui/split-name.ts";
import { type Dependent, type OutsideLeaf, type OutsideRoot, outsideTree } from "./outside-tree.ts";

const fates: Readonly<Record<Dependent["fate"], { readonly fate: Fate; readonly words: string }>> = {
  kept: { fate: "kept", words: "Stays as it is" },
  replaced: { fate: "replace", words: "Gets a new version" },
  recreated: { fate: "recreate", words: "Falls and comes back identical" },
  blocked: { fate: "blocked", words: "Can't come back" },
  lost: { fate: "lost", words: "Will be lost" },
};

/** Everything that depends on what the plan touches and isn't the project's: whose, by which columns, and what becomes of it. */
export function OutsideScreen({ planId }: { readonly planId: string }) {
  const { view } = usePlan(planId);
  const outside = view.dependents
    .filter(({ managed }) => !managed)
    .sort((a, b) => fateOrder.indexOf(fates[a.fate].fate) - fateOrder.indexOf(fates[b.fate].fate));
  const roots = outsideTree(outside);
  const owners = [...new Set(outside.map(({ owner }) => owner))];
  return (
    <main className="work" id="main">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
      <section className="pane scroll" aria-label="What depends on what changes" tabIndex={0}>
        {view.blockers.map((blocker) => (
          <Halt key={blocker.sentence} blocker={blocker} view={view} />
        ))}
        {outside.length === 0 ? (
          <div className="empty">
            <b>Nothing outside the project depends on what changes</b>
            <p>
              Weir asked the catalog for everything that hangs on the {view.summary.replace + view.summary.drop} names
              that are replaced or dropped, by any owner, and found no view, rule, function or constraint.
            </p>
          </div>
        ) : (
          <>
            <div className="flow">
              <span>
                <b className="num">{roots.length}</b> name{roots.length === 1 ? "" : "s"} of ours that they read
              </span>
              <span>
                <b className="num">{outside.length}</b> object{outside.length === 1 ? "" : "s"} of {owners.join(", ")}
              </span>
              <span>
                {fateCounts(outside).map(({ fate, count }) => (
                  <span key={fate} className="row">
                    <FateSymbol fate={fate} small />
                    <b className="num">{count}</b> {fateWord[fate]}
                  </span>
                ))}
              </span>
            </div>
            <ul className="tree">
              {roots.map((root) => (
                <Root key={root.name} root={root} view={view} />
              ))}
            </ul>
            <p className="foot t2">
              Found in the live catalog when the plan was made, and compared again under the promotion's locks. If any
              of them changed until then, nothing is switched and the plan is out of date. No statement of the plan asks
              for CASCADE.
            </p>
          </>
        )}
      </section>
    </main>
  );
}

function fateCounts(outside: readonly Dependent[]): readonly { readonly fate: Fate; readonly count: number }[] {
  const counts = new Map<Fate, number>();
  for (const { fate } of outside) counts.set(fates[fate].fate, (counts.get(fates[fate].fate) ?? 0) + 1);
  return [...counts].map(([fate, count]) => ({ fate, count }));
}

function Halt({ blocker, view }: { readonly blocker: PlanView["blockers"][number]; readonly view: PlanView }) {
  const [what, ...ways] = blocker.sentence.split(/(?<=\.)\s+/);
  const command = `weir plan ${view.environment} --submit`;
  return (
    <section className="halt" aria-label="Blocked">
      <div className="what">
        <h2>
          <OctagonAlert className="i no" aria-hidden="true" />
          <span>{what}</span>
        </h2>
        <p className="t2">Nothing was changed, and nothing can be while this stands.</p>
        <ul className="affected">
          {blocker.objects.map(({ object, owner, columns }) => (
            <li key={`${object.type} ${spellName(object)}`}>
              <FateSymbol fate="blocked" small label />
              <b className="mono">{spellName(object)}</b>
              <span className="kind">{object.type}</span>
              {owner !== null && <OwnerTag owner={owner} />}
              <span className="muted">
                {columns === "unknown" ? "columns unknown" : columns.length > 0 ? "uses " : ""}
                {columns !== "unknown" && columns.length > 0 && <mark className="bad">{columns.join(", ")}</mark>}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className="ways">
        <h3>
          What now <code>{blocker.code}</code>
        </h3>
        <ol>
          {ways.map((way) => (
            <li key={way}>{way}</li>
          ))}
          <li>
            Then plan again: <code>{command}</code>{" "}
            <button
              className="icon-btn tiny"
              type="button"
              aria-label="Copy the command"
              onClick={() => void navigator.clipboard.writeText(command)}
            >
              <CopyIcon className="i s" aria-hidden="true" />
            </button>
          </li>
        </ol>
      </div>
    </section>
  );
}

function Root({ root: { name, leaves }, view }: { readonly root: OutsideRoot; readonly view: PlanView }) {
  const change = view.changes.find(({ model }) => model === name);
  const node = view.graph.nodes.find((each) => nameOf(each) === name);
  return (
    <>
      <li className="fate root">
        <div className="a">
          <div className="nd d0">
            <FateSymbol fate={node?.mark ?? "kept"} label />
            <span className="nm">
              <b>
                {node === undefined ? (
                  <ObjectName name={name} />
                ) : (
                  <Link href={objectLink(view.id, node.id, "objects")} data-row>
                    <ObjectName name={name} />
                  </Link>
                )}
              </b>
              <span className="kind">{node === undefined ? "object" : kindWord(node.kind)}</span>
            </span>
          </div>
        </div>
        <div className="b t2">{change?.reasons.join("; ") ?? "is not changed itself"}</div>
        <div className="c t2">
          {leaves.length} outside object{leaves.length === 1 ? "" : "s"} hang{leaves.length === 1 ? "s" : ""} on it
        </div>
      </li>
      {leaves.map((leaf) => (
        <Leaf key={dependentId(leaf.dependent.object, view)} leaf={leaf} view={view} />
      ))}
    </>
  );
}

function Leaf({ leaf, view }: { readonly leaf: OutsideLeaf; readonly view: PlanView }) {
  const { dependent, depth, reads, columns, also, last } = leaf;
  const { fate, words } = fates[dependent.fate];
  const halted = fate === "blocked" || fate === "lost";
  return (
    <li className={`fate${halted ? " halted" : ""}`}>
      <div className="a">
        <div className={`nd d1${last ? " last" : ""}`} style={{ "--depth": Math.min(depth, 5) } as CSSProperties}>
          <FateSymbol fate={fate} label />
          <span className="nm">
            <b>
              <Link href={objectLink(view.id, dependentId(dependent.object, view), "objects")} data-row>
                <ObjectName name={spellName(dependent.object)} />
              </Link>
            </b>
            <span className="kind">{dependent.object.type}</span>
          </span>
          <OwnerTag owner={dependent.owner} />
        </div>
      </div>
      <div className="b">
        reads {depth === 1 ? "it directly" : <code>{reads}</code>}
        {also.length > 0 && (
          <>
            , and <code>{also.join(", ")}</code>
          </>
        )}
        <br />
        <span className="muted">
          {columns === "unknown" ? "columns unknown, so all count" : "uses "}
          {columns !== "unknown" && <code>{columns.join(", ")}</code>}
        </span>
      </div>
      <div className="c">
        <p className="back">
          {fate === "kept" ? <Check className="i s ok" aria-hidden="true" /> : <FateSymbol fate={fate} small />}
          <b className={`word-${fate}`}>{words}</b>
        </p>
        <p className="t2 back-why">{dependent.why.replace(/\.$/, "")}.</p>
      </div>
    </li>
  );
}
