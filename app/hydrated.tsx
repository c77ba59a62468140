import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryClientOfRequest } from "./server.ts";

/** Hands what was prefetched for this page to the browser with it. */
export function Hydrated({ children }: { readonly children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(queryClientOfRequest())}>{children}</HydrationBoundary>;
}
