/** What a warehouse call can end with. Retry decisions look at `kind` and `sqlstate`, never at `message`. */
export interface WarehouseFault {
  readonly kind:
    | "refused"
    | "guard_failed"
    | "fence_lost"
    | "lock_timeout"
    | "deadlock"
    | "connection_lost"
    | "unreachable"
    | "cancelled";
  readonly sqlstate: string;
  readonly message: string;
  readonly statement: string | null;
  /** For lock waits: who holds it, as `pid 4711 bi_team "SELECT …" since 12 s`. For guards: what differs. */
  readonly details: readonly string[];
}

/** Thrown by every call to a warehouse that ends badly. */
export class WarehouseError extends Error {
  readonly fault: WarehouseFault;

  constructor(fault: WarehouseFault, cause?: unknown) {
    super(fault.message, { cause });
    this.name = "WarehouseError";
    this.fault = fault;
  }
}
