import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../../server/api/root.ts";

type Followed = inferRouterOutputs<AppRouter>["runs"]["follow"];

/** One entry of the journal, as the stream brings it. */
export type RunEventView = Followed extends AsyncIterable<infer Tracked> ? DataOf<Tracked> : never;

type DataOf<T> = T extends { readonly id: string; readonly data: infer Data }
  ? Data
  : T extends readonly [string, infer Data, ...unknown[]]
    ? Data
    : never;
