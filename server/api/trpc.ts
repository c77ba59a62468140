import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import type { Installed } from "./door.ts";
import { statusOf } from "./problem-status.ts";
import { type ProblemView, viewProblem } from "./problem-view.ts";
import { problemsOf } from "./problems-of.ts";

/** A defect of ours, already logged under `id`; nothing else of it leaves the process. */
export class Defect extends Error {
  readonly id: string;

  constructor(id: string) {
    super("internal");
    this.name = "Defect";
    this.id = id;
  }
}

const t = initTRPC.context<Installed>().create({
  transformer: superjson,
  sse: {
    ping: { enabled: true, intervalMs: 3_000 },
    // A stream that stays silent for three pings is dead even if the socket doesn't know it (sleeping laptops, proxies).
    client: { reconnectAfterInactivityMs: 10_000 },
  },
  // Never `stack`, and no message but ours: `shape.message` of an unexpected error could hold a connection string.
  errorFormatter({ shape, error }) {
    const problems: readonly ProblemView[] = (problemsOf(error.cause) ?? []).map(viewProblem);
    const id = error.cause instanceof Defect ? error.cause.id : null;
    const message =
      problems.length > 0
        ? problems.map((each) => each.sentence).join("\n")
        : error.code === "INTERNAL_SERVER_ERROR"
          ? "internal"
          : shape.message;
    const { code, httpStatus, path } = shape.data;
    return { code: shape.code, message, data: { code, httpStatus, path: path ?? null, problems, id } };
  },
});

/** Expected problems keep their sentences; anything else becomes a defect with an id that the log knows. */
const nameFaults = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause } = result.error;
  const problems = problemsOf(cause);
  if (problems !== null) throw new TRPCError({ code: statusOf(problems), cause });
  if (result.error.code !== "INTERNAL_SERVER_ERROR") return result;
  const id = `e_${crypto.randomUUID().slice(0, 8)}`;
  ctx.logDefect(id, cause ?? result.error);
  throw new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "internal", cause: new Defect(id) });
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;
export const procedure = t.procedure.use(nameFaults);
