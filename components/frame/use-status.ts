"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/api-provider.tsx";
import type { Status } from "../api/outputs.ts";

export function useStatus(): Status | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.system.status.queryOptions(undefined, { refetchInterval: 4_000 })).data;
}
