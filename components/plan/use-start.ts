"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTRPC } from "../api/api-provider.tsx";
import { type FaultView, faultOfClient } from "../api/fault.ts";
import { runLink } from "../ui/links.ts";

export interface Starting {
  readonly start: () => void;
  /** From the click until there is a run to look at, or a reason why there is none. */
  readonly busy: boolean;
}

/**
 * Hands a plan to the worker and goes to its run as soon as there is one. Lives where the page lives, not in the button:
 * a short run is over, and its button gone, before the first answer.
 */
export function useStart(planId: string, onFault: (fault: FaultView | null) => void): Starting {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const router = useRouter();
  const { mutate, reset, data, isPending } = useMutation(
    trpc.plans.start.mutationOptions({
      onMutate: () => onFault(null),
      onError: (error) => onFault(faultOfClient(error)),
    }),
  );
  const id = data?.id;
  const asked = id !== undefined;
  const job = useQuery(trpc.plans.job.queryOptions({ id: id ?? "" }, { enabled: asked, refetchInterval: 400 })).data;
  const standing = useQuery(
    trpc.plans.standing.queryOptions({ id: planId }, { enabled: asked, refetchInterval: asked ? 400 : false }),
  ).data;
  const latest = standing?.runs[0];
  const over = asked && (job?.state === "done" || job?.state === "failed");
  // A resumed run keeps its id and goes on; a job can also end before there is any run.
  const isOpen = latest?.state === "running" || latest?.state === "stopping";
  const run = asked ? (job?.run ?? (isOpen ? latest.id : null)) : null;
  useEffect(() => {
    if (run === null && !over) return;
    if (over && job?.state === "failed") onFault({ status: 412, problems: job.problems, id: null });
    reset();
    void cache.invalidateQueries();
    if (run !== null) router.push(runLink(run));
  }, [run, over, job, onFault, reset, cache, router]);
  return { start: () => mutate({ planId }), busy: isPending || asked };
}
