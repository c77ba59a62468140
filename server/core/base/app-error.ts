import type { Problem } from "./problem.ts";
import { problemLine } from "./problem-sentence.ts";

/** The one exception that shells throw for faults they can name. Anything else that is thrown is a defect of ours. */
export class AppError extends Error {
  readonly problems: readonly Problem[];

  constructor(...problems: readonly Problem[]) {
    super(problems.map(problemLine).join("\n"));
    this.name = "AppError";
    this.problems = problems;
  }
}
