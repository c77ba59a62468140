import type { Problem } from "../core/base/problem.ts";

/**
 * The problems that an AppError carries, or null for any other error. Told by its shape and not by `instanceof`: Next
 * bundles its own copy of every class, and errors come from operations that the starting program holds.
 */
export function problemsOf(error: unknown): readonly Problem[] | null {
  if (!(error instanceof Error) || error.name !== "AppError" || !("problems" in error)) return null;
  return Array.isArray(error.problems) ? (error.problems as readonly Problem[]) : null;
}
