import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { type ProblemView, viewProblem } from "./problem-view.ts";
import { problemsOf } from "./problems-of.ts";
import { Defect } from "./trpc.ts";

/** A refusal or failure as screens show it: sentences we wrote, or the id under which the log has the rest. */
export interface Fault {
  readonly status: number;
  readonly problems: readonly ProblemView[];
  readonly id: string | null;
}

/** For calls made in process, whose errors don't pass through the formatter. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof TRPCError)) return { status: 500, problems: [], id: null };
  const { cause } = error;
  return {
    status: getHTTPStatusCodeFromError(error),
    problems: (problemsOf(cause) ?? []).map(viewProblem),
    id: cause instanceof Defect ? cause.id : null,
  };
}
