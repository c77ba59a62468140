import { WarehouseError, type WarehouseFault } from "../../core/catalog/warehouse-error.ts";
import { endsConnection, isConflict, NO_SQLSTATE, SQLSTATE } from "./sqlstate.ts";

/** Where an error came up. `connecting`: no session yet. */
export interface ErrorPlace {
  readonly target: string;
  readonly statement: string | null;
  readonly phase: "connecting" | "working";
  /** We asked the server to cancel this session's work. */
  readonly cancelled: boolean;
}

/** The driver's errors in our words. What isn't the driver's, and defects of its or ours, come back as they are. */
export function warehouseError(error: unknown, place: ErrorPlace): unknown {
  if (error instanceof WarehouseError || !(error instanceof Error)) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const fields = serverFields(error);
  const statement = place.statement === null ? null : cut(place.statement, LONGEST_STATEMENT);
  if (place.phase === "connecting") {
    const { sqlstate, message } = fields;
    return new WarehouseError({ kind: "unreachable", sqlstate, message, statement, details: [place.target] });
  }
  const kind = faultKind(fields.sqlstate, place.cancelled);
  const { sqlstate, message, details } = fields;
  return new WarehouseError({ kind, sqlstate, message, statement, details }, error);
}

/**
 * A statement_timeout and an administrator's cancel have the same SQLSTATE as ours, 57014: only what we asked for
 * ourselves counts as `cancelled`, anything else is a refusal with the server's words.
 */
function faultKind(sqlstate: string, cancelled: boolean): WarehouseFault["kind"] {
  if (sqlstate === NO_SQLSTATE || endsConnection(sqlstate)) return "connection_lost";
  if (sqlstate === SQLSTATE.lockNotAvailable) return "lock_timeout";
  if (isConflict(sqlstate)) return "deadlock";
  if (sqlstate === SQLSTATE.queryCanceled && cancelled) return "cancelled";
  return "refused";
}

interface ServerFields {
  readonly sqlstate: string;
  readonly message: string;
  readonly details: readonly string[];
}

/** The driver puts the protocol's error fields on the Error: `code` is the SQLSTATE, five characters; Node's own codes are longer. */
function serverFields(error: Error): ServerFields {
  const code = textField(error, "code");
  const sqlstate =
    code !== null && /^[0-9A-Z]{5}$/.test(code) && textField(error, "severity") !== null ? code : NO_SQLSTATE;
  const inner = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0].message : "";
  return {
    sqlstate,
    message: error.message === "" ? inner || (code ?? "unknown error") : error.message,
    details: detailsOf(error, sqlstate),
  };
}

/** Class 23: the detail of a broken constraint holds the row itself, which is nobody's business but the warehouse's. */
function detailsOf(error: Error, sqlstate: string): readonly string[] {
  const detail = sqlstate.startsWith("23") ? null : textField(error, "detail");
  return [detail, textField(error, "hint")].flatMap((text) => (text === null ? [] : text.split("\n")));
}

function textField(error: Error, field: string): string | null {
  const value: unknown = Reflect.get(error, field);
  return typeof value === "string" && value !== "" ? value : null;
}

const LONGEST_STATEMENT = 2_000;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)} …`;
}
