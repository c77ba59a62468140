"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "../api/api-provider.tsx";
import { Ago } from "../ui/clock.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { environmentLink, planLink } from "../ui/links.ts";
import { PlanBadge } from "../ui/state-badge.tsx";

/** What each environment serves, and what waits for it. Asked for again every few seconds: another tab may have applied. */
export function EnvironmentsScreen() {
  const trpc = useTRPC();
  const environments = useSuspenseQuery(
    trpc.environments.list.queryOptions(undefined, { refetchInterval: 2_500 }),
  ).data;
  const plans = useSuspenseQuery(trpc.plans.list.queryOptions({}, { refetchInterval: 4_000 })).data;
  const waiting = (name: string) =>
    plans.filter(
      ({ environment, state }) => environment === name && ["open", "approved", "applying", "failed"].includes(state),
    );
  const busy = environments.filter(({ name }) => waiting(name).some(({ state }) => state === "applying")).length;
  return (
    <>
      <section className="head short line-below" aria-label="Summary">
        <div className="verdict">
          <h1>
            {environments.length === 0
              ? "No environment serves anything yet"
              : `${environments.length} environment${environments.length === 1 ? "" : "s"}${busy > 0 ? `, ${busy} with a run in progress` : ""}`}
          </h1>
        </div>
      </section>
      <main className="work" id="main">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
        <section className="pane" aria-label="Environments" tabIndex={0}>
          {environments.length === 0 ? (
            <EmptyState title="The first applied plan makes the first environment">
              <p>
                An environment is a set of views that readers use, each pointing at one version of its model. Run{" "}
                <code>weir plan prod --submit</code> in a project, then approve and start the plan.
              </p>
            </EmptyState>
          ) : (
            <table className="rows flat">
              <caption className="sr">Environments</caption>
              <thead>
                <tr>
                  <th scope="col">Environment</th>
                  <th scope="col">Serves plan</th>
                  <th scope="col" className="e-row">
                    Since
                  </th>
                  <th scope="col" className="r e-size">
                    Models
                  </th>
                  <th scope="col" className="r e-dep">
                    Promotions
                  </th>
                  <th scope="col">Waiting for it</th>
                </tr>
              </thead>
              <tbody>
                {environments.map((environment) => (
                  <tr key={environment.name}>
                    <td>
                      <span className="obj">
                        <Link href={environmentLink(environment.name)} data-row>
                          {environment.name}
                        </Link>
                      </span>
                    </td>
                    <td>
                      {environment.planId === null ? (
                        <span className="muted">none</span>
                      ) : (
                        <Link className="link mono" href={planLink(environment.planId)}>
                          {environment.planId}
                        </Link>
                      )}
                    </td>
                    <td className="e-row t2">
                      {environment.promotedAt === null ? "–" : <Ago at={environment.promotedAt} />}
                    </td>
                    <td className="r e-size num">{environment.models}</td>
                    <td className="r e-dep num">{environment.promotion}</td>
                    <td>
                      <span className="row waiting">
                        {waiting(environment.name).length === 0 && <span className="muted">nothing</span>}
                        {waiting(environment.name).map((plan) => (
                          <Link key={plan.id} href={planLink(plan.id)} title={plan.title}>
                            <PlanBadge state={plan.state} blocked={plan.result === "blocked"} />
                          </Link>
                        ))}
                      </span>
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
