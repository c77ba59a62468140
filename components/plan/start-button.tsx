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
  const { reset } = start;
  const id = start.data?.id;
  const asked = id !== undefined;
  const job = useQuery(trpc.plans.job.queryOptions({ id: id ?? "" }, { enabled: asked, refetchInterval: 400 })).data;
  const standing = useQuery(
    trpc.plans.standing.queryOptions({ id: view.id }, { enabled: asked, refetchInterval: asked ? 400 : false }),
  ).data;
  const latest = standing?.runs[0];
  const isOpen = latest?.state === "running" || latest?.state === "stopping";
  const over = job?.state === "done" || job?.state === "failed";
  // A resumed run keeps its id and goes on; a job can also end before there is any run.
  const run = job?.run ?? (isOpen ? latest.id : null);
  useEffect(() => {
    if (!asked || run === null) return;
    void cache.invalidateQueries();
    router.push(runLink(run));
  }, [asked, run, router, cache]);
  useEffect(() => {
    if (!over) return;
    if (job.state === "failed") onFault({ status: 412, problems: job.problems, id: null });
    reset();
  }, [over, job, onFault, reset]);
  const busy = start.isPending || asked;
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
