"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Activity, OctagonAlert, Square } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { useTRPC } from "../api/api-provider.tsx";
import { type FaultView, faultOfClient } from "../api/fault.ts";
import { StartButton } from "../plan/start-button.tsx";
import { usePlan } from "../plan/use-plan.ts";
import { useStart } from "../plan/use-start.ts";
import { ClockTime, durationText, useNow } from "../ui/clock.tsx";
import { FaultPanel } from "../ui/fault-panel.tsx";
import { environmentLink, planLink } from "../ui/links.ts";
import { RunBadge } from "../ui/state-badge.tsx";
import { RunAside } from "./run-aside.tsx";
import { RunObjects } from "./run-objects.tsx";
import { progressOf } from "./run-progress.ts";
import { runSentence, servingWords } from "./run-words.ts";
import { StageBar } from "./stage-bar.tsx";
import { useRunEvents } from "./use-run-events.ts";

interface RunScreenProps {
  readonly runId: string;
  readonly planId: string;
}

/** A run as it happens, and as it was. */
export function RunScreen({ runId, planId }: RunScreenProps) {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const now = useNow();
  const { title, view, standing } = usePlan(planId);
  const [fault, setFault] = useState<FaultView | null>(null);
  const starting = useStart(planId, setFault);
  const run = useSuspenseQuery(trpc.runs.read.queryOptions({ id: runId }, { refetchInterval: 2_000 })).data;
  const isRunning = run.state === "running" || run.state === "stopping";
  const { events, connection } = useRunEvents(runId, isRunning);
  const progress = progressOf(view, events);
  const over = progress.ended !== null;
  // The stream says first that it ended; lists and environments must not stay as they were.
  useEffect(() => {
    if (over) void cache.invalidateQueries();
  }, [over, cache]);
  const stop = useMutation(
    trpc.runs.stop.mutationOptions({
      onMutate: () => setFault(null),
      onSuccess: () => cache.invalidateQueries({ queryKey: trpc.runs.read.queryKey({ id: runId }) }),
      onError: (error) => setFault(faultOfClient(error)),
    }),
  );
  const started = Date.parse(run.startedAt);
  const end = run.endedAt ?? (over ? (events.at(-1)?.at ?? null) : null);
  const elapsed = Math.max(0, (end === null ? now : Date.parse(end)) - started);
  const serving = servingWords(run.environment, progress);
  const current = view.actions.find(({ id }) => progress.running.includes(id));
  const state = progress.ended?.state ?? run.state;
  const stopping = run.state === "stopping" || progress.stopBy !== null;
  return (
    <>
      <section className="head" aria-label={`Run ${runId}`}>
        <div className="crumbs">
          <Link href="/runs">Runs</Link>
          <span>/</span>
          <b>
            {title} <span className="muted">on</span> {run.environment}
          </b>
          <RunBadge state={over && isRunning ? state : run.state} />
          <span className="only-l">
            started <ClockTime at={run.startedAt} /> UTC by {run.startedBy}
          </span>
          <span className="only-l">
            digest <b className="mono">{view.digest.slice(0, 8)}</b>
          </span>
        </div>
        <div className="verdict">
          <h1>{runSentence(view, run, progress)}</h1>
          <div className="acts">
            <Link className="btn" href={planLink(planId)}>
              Open plan
            </Link>
            {isRunning && !over && (
              <button
                className="btn danger"
                type="button"
                aria-describedby="stop-note"
                disabled={stopping || stop.isPending}
                onClick={() => stop.mutate({ id: runId })}
              >
                <Square className="i s fill" aria-hidden="true" />
                {stopping || stop.isPending ? "Stopping at the next safe point" : "Stop this run"}
              </button>
            )}
            {(state === "failed" || state === "interrupted") && standing.state !== "applied" && (
              <StartButton environment={run.environment} label={`Resume on ${run.environment}`} starting={starting} />
            )}
            {state === "applied" && (
              <Link className="btn primary" href={environmentLink(run.environment)}>
                Open {run.environment}
              </Link>
            )}
          </div>
        </div>
        {fault !== null && <FaultPanel what="That did not work" fault={fault} standing="The run is as it was." />}
        <div className="live">
          <div className="big">
            <span className="k">{end === null ? "Elapsed" : "Took"}</span>
            <span className="v num">{durationText(elapsed)}</span>
            <span className="d">{end === null ? "total unknown: first run" : `ended ${end.slice(11, 19)} UTC`}</span>
          </div>
          <div className="big">
            <span className="k">Done</span>
            <span className="v num">
              {events.length === 0 ? run.done : progress.done} <small>of {run.total} actions</small>
            </span>
            <span
              className="prog thin"
              role="progressbar"
              aria-label="Actions done"
              aria-valuemin={0}
              aria-valuemax={run.total}
              aria-valuenow={progress.done}
            >
              <i style={{ width: `${run.total === 0 ? 100 : (100 * progress.done) / run.total}%` }} />
            </span>
          </div>
          <div className="big wide">
            <span className="k">{over ? "Result" : "Now"}</span>
            <span className="v small">
              {over ? (progress.ended?.state ?? "") : (current?.model ?? current?.target.name ?? "nothing yet")}
            </span>
            <span className="d">
              {over
                ? progress.verified === null
                  ? "not verified"
                  : `${progress.verified} relations verified`
                : (current?.title ?? "")}
            </span>
          </div>
          <div className={`big pulse${progress.promotedAt === null ? " before" : ""}`} role="status">
            <span className="k">
              <span className={isRunning && connection === "live" ? "beat" : "beat still"} aria-hidden="true" />
              {serving.title}
            </span>
            <span className="d">{serving.detail}</span>
          </div>
        </div>
        {connection === "lost" && (
          <div className="banner inset" role="alert">
            <Activity className="i" aria-hidden="true" />
            <span>
              Connection lost. Shown as of {events.at(-1)?.at.slice(11, 19) ?? "the start"} UTC; trying again, and going
              on from there. The run itself doesn't need this page.
            </span>
          </div>
        )}
        <StageBar stages={progress.stages} />
      </section>
      <main className="work duo" id="main">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling pane must be reachable by keyboard. */}
        <section className="pane" aria-label="Progress by object" tabIndex={0}>
          {progress.waiting !== null && !over && (
            <div className="fault calm" role="status">
              <OctagonAlert className="i att" aria-hidden="true" />
              <div>
                <b className="strong">Waiting for locks, {durationText(progress.waiting.waitedMs)} so far</b>
                <p className="t2">
                  Held by {progress.waiting.blockers.join("; ") || "nobody that the server names"}. Readers don't wait
                  meanwhile: each try lets go after 250 ms.
                </p>
              </div>
            </div>
          )}
          <RunObjects view={view} progress={progress} />
        </section>
        <RunAside view={view} run={run} events={events} progress={progress} connection={connection} />
      </main>
    </>
  );
}
