import { DrizzleQueryError } from "drizzle-orm/errors";
import pg from "pg";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";

/** Of the system, when there is no talking to a server at all. */
const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing accepts connections there",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ETIMEDOUT: "no answer in time",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  ENOTFOUND: "the host name isn't known",
  EAI_AGAIN: "the host name can't be looked up now",
  ENOENT: "there is no such socket",
  EACCES: "the socket may not be used",
};

/** Of the server: classes 08 and 28, and these; source: PostgreSQL "Error Codes". Their messages hold no password. */
const serverRefusals = new Set(["3D000", "53300", "57P01", "57P02", "57P03", "25006"]);

/** pg 8.23 gives no code for its own faults, only these texts. They decide what is said, never what is done. */
const driverTexts: readonly RegExp[] = [
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
  /^timeout expired$/,
  /^timeout exceeded when trying to connect/,
  /^The server does not support SSL/,
  /certificate/i,
];

/**
 * What a fault of the driver means to whoever asked. Faults that aren't about reaching or reading the database come
 * back as they are: they are defects of ours. Drizzle's own wrapper is taken off, since its message holds every parameter.
 */
export function stateFault(target: string, error: unknown): unknown {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  if (!(cause instanceof Error) || cause instanceof AppError) return cause;
  const reason = unreachableReason(cause);
  if (reason !== null) return new AppError(problem("state_unreachable", { target, reason }));
  if (cause instanceof pg.DatabaseError && cause.code === "42501") {
    return new AppError(problem("state_forbidden", { target, reason: cause.message }));
  }
  if (cause instanceof pg.DatabaseError && cause.code === "42P01") {
    return new AppError(problem("state_not_set_up", { target, reason: cause.message }));
  }
  return cause;
}

/** 55P03: a lock wasn't to be had within lock_timeout. */
export const LOCK_NOT_AVAILABLE = "55P03";

/** Null for faults that aren't the server's. */
export function sqlstateOf(error: unknown): string | null {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return cause instanceof pg.DatabaseError ? (cause.code ?? null) : null;
}

function unreachableReason(error: Error): string | null {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? "";
    return /^(08|28)/.test(code) || serverRefusals.has(code) ? error.message : null;
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const network = networkReasons[code];
  if (network !== undefined) return network;
  return driverTexts.some((text) => text.test(error.message)) ? lowerFirst(error.message) : null;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
