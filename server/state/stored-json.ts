import { AppError } from "../core/base/app-error.ts";
import { canonicalJson, type Json } from "../core/base/hash.ts";
import { problem } from "../core/base/problem.ts";

/** Values of core are plain data; this is the one place that says so to the compiler. */
export function toStored(value: unknown): string {
  return canonicalJson(value as Json);
}

/**
 * Reads a value back. `what` names the row for people (`Plan abc…`); `check` refuses what isn't such a value.
 * @throws AppError `state_unreadable`, so that only what needs this row fails.
 */
export function fromStored<T>(what: string, text: string, check: (value: Json) => T): T {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new AppError(problem("state_unreadable", { what, reason: "it isn't JSON" }));
  }
  try {
    return check(value);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(problem("state_unreadable", { what, reason: error instanceof Error ? error.message : String(error) }));
  }
}

/** The shallow checks that catch another format or a half-written row; whole shapes are the codec's matter. */
export function expectList<T>(value: Json, members: readonly string[]): readonly T[] {
  if (!Array.isArray(value)) throw new Error("a list was expected");
  for (const each of value as readonly Json[]) expectMembers(each, members);
  return value as unknown as readonly T[];
}

export function expectMembers<T>(value: Json, members: readonly string[]): T {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error("an object was expected");
  const missing = members.filter((member) => !Object.hasOwn(value, member));
  if (missing.length > 0) throw new Error(`it lacks ${missing.join(", ")}`);
  return value as T;
}

export function expectTexts(value: Json): readonly string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) throw new Error("a list of texts was expected");
  return value as readonly string[];
}
