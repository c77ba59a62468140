import "server-only";
import type { FetchQueryOptions, QueryKey } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cache } from "react";
import { makeQueryClient } from "../components/api/query-client.ts";
import { installed } from "../server/api/door.ts";
import { type Fault, faultOf } from "../server/api/fault-of.ts";
import { handleRequest } from "../server/api/handle-request.ts";
import { appRouter, createCaller } from "../server/api/root.ts";

// The one door between pages and server: procedures called in process, and the handler of the same procedures by HTTP.

/** One a request, so that nobody sees another's data. */
export const queryClientOfRequest = cache(makeQueryClient);

export const procedures = createTRPCOptionsProxy({
  ctx: installed,
  router: appRouter,
  queryClient: queryClientOfRequest,
});

export const callProcedures = createCaller(installed);

export { handleRequest };

/** Reads what the page will ask for, so that its first paint has it. Null when that worked, else what went wrong. */
export async function prefetch<T, E, D, K extends QueryKey>(
  options: FetchQueryOptions<T, E, D, K>,
): Promise<Fault | null> {
  try {
    await queryClientOfRequest().fetchQuery(options);
    return null;
  } catch (error) {
    return faultOf(error);
  }
}

export async function attempt<T>(call: () => Promise<T>): Promise<{ readonly value: T } | { readonly fault: Fault }> {
  try {
    return { value: await call() };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

export function serverFacts() {
  return installed().server;
}
