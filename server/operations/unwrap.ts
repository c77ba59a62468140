import { AppError } from "../core/base/app-error.ts";
import type { Result } from "../core/base/result.ts";

/** Core returns faults as values; at the shell they become the one exception that drivers know how to show. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new AppError(...result.problems);
}
