"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTRPC } from "../api/api-provider.tsx";
import type { RunEventView } from "./run-event.ts";

export interface RunFeed {
  readonly events: readonly RunEventView[];
  /** `lost`: what is shown is as old as the last event; the link goes on trying. */
  readonly connection: "connecting" | "live" | "lost" | "ended";
}

const FLUSH_MS = 40;

/** The journal, past and live. A lost connection resumes after the last event that arrived, so none is missed or doubled. */
export function useRunEvents(run: string, isRunning: boolean): RunFeed {
  const trpc = useTRPC();
  const past = useSuspenseQuery(
    trpc.runs.journal.queryOptions({ id: run }, { staleTime: Number.POSITIVE_INFINITY }),
  ).data;
  const [events, setEvents] = useState<readonly RunEventView[]>(past);
  // Fixed at the first paint: a stream that is cut resumes by itself after what it brought.
  const [lastEventId] = useState(() => String(past.at(-1)?.seq ?? 0));
  const buffer = useRef<RunEventView[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  // Hundreds of past events arrive at once; one paint is enough for them.
  const take = useCallback((event: RunEventView) => {
    buffer.current.push(event);
    timer.current ??= setTimeout(() => {
      timer.current = null;
      const arrived = buffer.current;
      buffer.current = [];
      setEvents((known) => {
        const last = known.at(-1)?.seq ?? 0;
        return [...known, ...arrived.filter(({ seq }) => seq > last)];
      });
    }, FLUSH_MS);
  }, []);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  const ended = events.at(-1)?.event.kind === "run_ended";
  const { status, error, reset } = useSubscription(
    trpc.runs.follow.subscriptionOptions(
      { id: run, lastEventId },
      { enabled: isRunning || !ended, onData: ({ data }) => take(data) },
    ),
  );
  // The stream of a run that died ends without its last entry; once it is resumed, its journal goes on.
  const idle = status === "idle";
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the run comes back to life.
  useEffect(() => {
    if (isRunning && idle && events.length > 0) reset();
  }, [isRunning]);
  // Opening for the first time is no loss: only what was open, or was refused, can be lost.
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (status === "pending") setOpened(true);
  }, [status]);
  const isOver = status === "idle" && !isRunning;
  const isLost = opened || status === "error" || (error !== null && error !== undefined);
  const connection = status === "pending" ? "live" : isOver ? "ended" : isLost ? "lost" : "connecting";
  return { events, connection };
}
