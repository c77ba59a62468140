import { AppError } from "../../server/core/base/app-error.ts";

/** Codes of what a promise fails with; an error that names no problem comes out as it is. */
export async function problemCodes(promise: Promise<unknown>): Promise<readonly string[]> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return error.problems.map((problem) => problem.code);
    throw error;
  }
  return [];
}
