import { AppError } from "../base/app-error.ts";
import { type Problem, problem } from "../base/problem.ts";
import { assertNever } from "../base/result.ts";

/** What a warehouse call can end with. Retry decisions look at `kind` and `sqlstate`, never at `message`. */
export interface WarehouseFault {
  readonly kind:
    | "refused"
    | "guard_failed"
    /** A materialized view that was made again doesn't hold the rows that it held. */
    | "rows_differ"
    /** A dependent uses a column by its place, and that place changes. */
    | "used_by_place"
    | "fence_lost"
    | "lock_timeout"
    | "deadlock"
    | "connection_lost"
    | "unreachable"
    | "cancelled";
  /** Empty where there is none: the server was never asked. */
  readonly sqlstate: string;
  readonly message: string;
  readonly statement: string | null;
  /**
   * For lock waits: who holds it, as `pid 4711 bi_team "SELECT …" since 12 s`. For guards: what differs. For a server
   * that can't be reached: how people name it, and nothing else. For refusals: the server's own details and hint.
   */
  readonly details: readonly string[];
}

/**
 * Thrown by every call to a warehouse that ends badly. Whoever can do something about it looks at the fault; to all
 * others it is an AppError like any, so that a screen or a terminal says what happened.
 */
export class WarehouseError extends AppError {
  readonly fault: WarehouseFault;

  constructor(fault: WarehouseFault, cause?: unknown) {
    super(warehouseProblem(fault));
    this.name = "WarehouseError";
    this.fault = fault;
    this.cause = cause;
  }
}

function warehouseProblem(fault: WarehouseFault): Problem {
  const { kind, sqlstate, message, statement, details } = fault;
  switch (kind) {
    case "unreachable":
      return problem("engine_unreachable", { target: details[0] ?? "", reason: message });
    case "connection_lost":
      return problem("engine_lost", { reason: message });
    case "lock_timeout":
      return problem("engine_locked", { blockers: details, statement });
    case "cancelled":
      return problem("engine_cancelled", { statement });
    case "fence_lost":
      return problem("fence_lost", { scope: details[0] ?? "" });
    case "guard_failed":
    case "rows_differ":
    case "used_by_place":
    case "deadlock":
    case "refused":
      return problem("engine_refused", { sqlstate, message, statement });
    default:
      return assertNever(kind);
  }
}
