"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useTRPC } from "../api/api-provider.tsx";
import { faultOfClient } from "../api/fault.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { FaultPanel } from "../ui/fault-panel.tsx";
import { PlanBrowser } from "./plan-browser.tsx";
import { type InboxTab, inboxGroups, inboxSentence } from "./plan-groups.ts";

const tabs: readonly { readonly tab: InboxTab; readonly word: string }[] = [
  { tab: "waiting", word: "To do" },
  { tab: "running", word: "Running" },
  { tab: "done", word: "Done" },
];

export function InboxScreen() {
  const trpc = useTRPC();
  const [tab, setTab] = useQueryState(
    "show",
    parseAsStringLiteral(["waiting", "running", "done"]).withDefault("waiting"),
  );
  const plans = useQuery(trpc.plans.list.queryOptions({}, { refetchInterval: 3_000 }));
  const cards = plans.data ?? [];
  const groups = inboxGroups(cards);
  return (
    <>
      <section className="head short" aria-label="Summary">
        <div className="verdict">
          <h1>{plans.data === undefined ? "Inbox" : inboxSentence(cards)}</h1>
          <div className="acts only-l">
            <span className="muted nowrap">
              <kbd>j</kbd> <kbd>k</kbd> move&ensp;<kbd>↵</kbd> open&ensp;<kbd>?</kbd> help
            </span>
          </div>
        </div>
        <nav className="tabs" aria-label="Inbox">
          {tabs.map(({ tab: each, word }) => {
            const count = groups[each].reduce((sum, group) => sum + group.cards.length, 0);
            return (
              <button
                key={each}
                type="button"
                aria-current={each === tab ? "page" : undefined}
                onClick={() => void setTab(each)}
              >
                {word} {count > 0 && <span className={`count${each === "waiting" ? " on" : ""}`}>{count}</span>}
              </button>
            );
          })}
        </nav>
      </section>
      {plans.isError && plans.data === undefined ? (
        <main className="work" id="main">
          <div className="pane">
            <FaultPanel
              what="The plans could not be read"
              fault={faultOfClient(plans.error)}
              retry={() => void plans.refetch()}
            />
          </div>
        </main>
      ) : (
        <PlanBrowser groups={groups[tab]} empty={<Nothing tab={tab} none={cards.length === 0} />} />
      )}
    </>
  );
}

function Nothing({ tab, none }: { readonly tab: InboxTab; readonly none: boolean }) {
  if (none) {
    return (
      <EmptyState title="The first plan appears here">
        <p>
          In a project folder, run <code>weir plan prod --submit</code>. Weir reads the models, compares them with what
          prod serves and sends the plan here for review. Planning changes nothing in the warehouse.
        </p>
        <p>
          No project yet? <code>weir init shop</code> writes a small working one.
        </p>
      </EmptyState>
    );
  }
  if (tab === "running") {
    return (
      <EmptyState title="Nothing is running">
        <p>A plan that is started shows here with what it is doing, and stays after it ended under Done.</p>
      </EmptyState>
    );
  }
  if (tab === "done") {
    return (
      <EmptyState title="Nothing is done yet">
        <p>Applied, rejected and replaced plans are kept here for ever.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing waits for you">
      <p>
        Plans that need a decision appear here. To send one, run <code>weir plan prod --submit</code> in a project. What
        prod serves now is under{" "}
        <Link className="link" href="/environments">
          Environments
        </Link>
        .
      </p>
    </EmptyState>
  );
}
