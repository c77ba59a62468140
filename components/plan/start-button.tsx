"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTRPC } from "../api/api-provider.tsx";
import { type FaultView, faultOfClient } from "../api/fault.ts";
import type { PlanView } from "../api/outputs.ts";
import { runLink } from "../ui/links.ts";

interface StartButtonProps {
  readonly view: PlanView;
  readonly label: string;
  readonly onFault: (fault: FaultView | null) => void;
}

/** Hands the plan to the worker and goes to the run as soon as there is one. */
export function StartButton({ view, label, onFault }: StartButtonProps) {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const router = useRouter();
  const start = useMutation(
    trpc.plans.start.mutationOptions({
      onMutate: () => onFault(null),
      onError: (error) => onFault(faultOfClient(error)),
    }),
  );
  const id = start.data?.id;
  const job = useQuery(
    trpc.plans.job.queryOptions(
      { id: id ?? "" },
      {
        enabled: id !== undefined,
        refetchInterval: ({ state }) => (state.data?.run !== null && state.data?.run !== undefined ? false : 400),
      },
    ),
  );
  const run = job.data?.run ?? start.data?.run ?? null;
  useEffect(() => {
    if (run === null) return;
    void cache.invalidateQueries();
    router.push(runLink(run));
  }, [run, router, cache]);
  // It can end before there is a run: the plan turned out stale, or somebody else holds the environment.
  const ended = job.data?.state === "failed" && run === null ? job.data : null;
  useEffect(() => {
    if (ended !== null) onFault({ status: 412, problems: ended.problems, id: null });
  }, [ended, onFault]);
  const busy = start.isPending || (id !== undefined && ended === null);
  return (
    <button
      className={busy ? "btn" : "btn primary"}
      type="button"
      aria-busy={busy}
      disabled={busy}
      onClick={() => start.mutate({ planId: view.id })}
    >
      {busy ? <span className="spin" /> : <Play className="i s fill" aria-hidden="true" />}
      {busy ? `Starting on ${view.environment}` : label}
    </button>
  );
}
