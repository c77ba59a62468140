import { AppError } from "../core/base/app-error.ts";
import { canonicalJson, type Json } from "../core/base/hash.ts";
import { problem } from "../core/base/problem.ts";

/** Values of core are plain data; this is the one place that says so to the compiler. */
export function toStored(value: unknown): string {
  return canonicalJson(value as Json);
}

/** As core's codecs are; said here by its shape, so that this folder needs no package for it. */
export interface StoredSchema<T> {
  readonly safeParse: (value: unknown) => Parsed<T>;
}

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | {
      readonly success: false;
      readonly error: {
        readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
      };
    };

/**
 * Reads a value back. `what` names the row for people (`Snapshot 1f… of model shop.orders`).
 * @throws AppError `state_unreadable`, so that only what needs this row fails.
 */
export function fromStored<T>(what: string, text: string, schema: StoredSchema<T>): T {
  return checkStored(what, parseJson(what, text), schema);
}

export function checkStored<T>(what: string, value: unknown, schema: StoredSchema<T>): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  throw new AppError(
    problem("state_unreadable", { what, reason: `${place}${issue?.message ?? "it has another form"}` }),
  );
}

/** For lists that only we write and that hold nothing a decision rests on: events, problems, rows of seeds. */
export function fromStoredList<T>(what: string, text: string): readonly T[] {
  const value = parseJson(what, text);
  if (!Array.isArray(value)) throw new AppError(problem("state_unreadable", { what, reason: "a list was expected" }));
  return value as readonly T[];
}

export function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AppError(problem("state_unreadable", { what, reason: "it isn't JSON" }));
  }
}
