import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../../server/api/root.ts";

/** One entry of the journal. */
export type RunEventView = inferRouterOutputs<AppRouter>["runs"]["journal"][number];
