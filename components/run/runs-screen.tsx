"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "../api/api-provider.tsx";
import { Ago, durationText, useNow } from "../ui/clock.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { planLink, runLink } from "../ui/links.ts";
import { RunBadge } from "../ui/state-badge.tsx";
import { stageWord } from "./run-progress.ts";

/** Every run, newest first. */
export function RunsScreen() {
  const trpc = useTRPC();
  const now = useNow();
  const runs = useSuspenseQuery(trpc.runs.list.queryOptions({}, { refetchInterval: 2_500 })).data;
  const active = runs.filter(({ state }) => state === "running" || state === "stopping").length;
  return (
    <>
      <section className="head short line-below" aria-label="Summary">
        <div className="verdict">
          <h1>{active === 0 ? "Nothing is running" : `${active} run${active === 1 ? "" : "s"} now`}</h1>
        </div>
      </section>
      <main className="work" id="main">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
        <section className="pane" aria-label="Runs" tabIndex={0}>
          {runs.length === 0 ? (
            <EmptyState title="No plan has been started yet">
              <p>
                Approve a plan and start it; its run appears here with what it is doing, and stays with its whole
                journal.
              </p>
            </EmptyState>
          ) : (
            <table className="rows flat">
              <caption className="sr">Runs, newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Run</th>
                  <th scope="col">Environment</th>
                  <th scope="col">State</th>
                  <th scope="col" className="r-strip">
                    Stage
                  </th>
                  <th scope="col" className="r r-state">
                    Done
                  </th>
                  <th scope="col" className="r r-el">
                    Took
                  </th>
                  <th scope="col" className="r-rate">
                    Started
                  </th>
                  <th scope="col" className="r-rate">
                    Plan
                  </th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => (
                  <tr key={run.id}>
                    <td>
                      <span className="obj">
                        <Link href={runLink(run.id)} data-row>
                          {run.id}
                        </Link>
                      </span>
                    </td>
                    <td>{run.environment}</td>
                    <td>
                      <RunBadge state={run.state} />
                    </td>
                    <td className="r-strip t2">{run.stage === null ? "–" : stageWord[run.stage]}</td>
                    <td className="r r-state num">
                      {run.done} of {run.total}
                    </td>
                    <td className="r r-el num t2">
                      {durationText(
                        Math.max(0, (run.endedAt === null ? now : Date.parse(run.endedAt)) - Date.parse(run.startedAt)),
                      )}
                    </td>
                    <td className="r-rate t2">
                      <Ago at={run.startedAt} /> by {run.startedBy}
                    </td>
                    <td className="r-rate">
                      <Link className="link mono" href={planLink(run.planId)}>
                        {run.planId}
                      </Link>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </section>
      </main>
    </>
  );
}
