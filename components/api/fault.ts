import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "../../server/api/root.ts";

/** What went wrong, in sentences that the server wrote, or as an id that its log knows. */
export interface FaultView {
  readonly status: number;
  readonly problems: readonly { readonly code: string; readonly sentence: string; readonly place: string | null }[];
  readonly id: string | null;
}

/** Status 0: nothing answered at all. */
export function faultOfClient(error: unknown): FaultView {
  if (!(error instanceof TRPCClientError)) return { status: 0, problems: [], id: null };
  const { data } = error as TRPCClientError<AppRouter>;
  if (data === null || data === undefined) return { status: 0, problems: [], id: null };
  return { status: data.httpStatus, problems: data.problems ?? [], id: data.id ?? null };
}

/** Asking again won't help. */
export function isExpected(error: unknown): boolean {
  return faultOfClient(error).problems.length > 0;
}
