import { AppError } from "../core/base/app-error.ts";
import { type Problem, placeText, problem } from "../core/base/problem.ts";
import { problemSentence } from "../core/base/problem-sentence.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Paint } from "./paint.ts";
import { wrapText } from "./wrap-text.ts";

/** Whatever was thrown, as problems. What isn't an AppError is a defect of ours, and says so. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof AppError) return error.problems;
  return [problem("internal_error", { message: error instanceof Error ? error.message : String(error) })];
}

/** One block a problem: where, then what and what to do. All of them, like a compiler. */
export function printProblems(problems: readonly Problem[], paint: Paint, width: number): string {
  const blocks = problems.map((each) => {
    const mark = paint("blocked", "error");
    const sentence = problemSentence(each);
    if (each.place === null) return `${mark}: ${wrapText(sentence, width, 7)}`;
    return `${mark}: ${paint("strong", placeText(each.place))}\n       ${wrapText(sentence, width, 7)}`;
  });
  return problems.length < 2 ? blocks.join("\n") : `${blocks.join("\n")}\n${problems.length} problems.`;
}

export interface FailureJson {
  readonly error: {
    readonly exit: ExitCode;
    readonly problems: readonly ({ readonly sentence: string } & Problem)[];
  };
}

export function failureJson(problems: readonly Problem[], exit: ExitCode): FailureJson {
  return { error: { exit, problems: problems.map((each) => ({ ...each, sentence: problemSentence(each) })) } };
}
