"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/api-provider.tsx";
import type { PlanView, Standing } from "../api/outputs.ts";

/** A plan never changes, so it is asked for once; where it stands is asked for all the time. */
export function usePlan(id: string): { readonly title: string; readonly view: PlanView; readonly standing: Standing } {
  const trpc = useTRPC();
  const plan = useSuspenseQuery(trpc.plans.show.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY })).data;
  const { title, view, ...first } = plan;
  const standing = useSuspenseQuery(
    trpc.plans.standing.queryOptions(
      { id },
      { refetchInterval: 2_500, initialData: first, initialDataUpdatedAt: Date.parse(view.now) },
    ),
  ).data;
  return { title, view, standing };
}
