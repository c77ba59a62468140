import { type Place, type Problem, type ProblemCode, type ProblemFields, placeText, problem } from "./problem.ts";

/** One text file of a project. */
export interface SourceFile {
  /** Relative to the project, forward slashes. */
  readonly path: string;
  /** Decoded, without a byte order mark. */
  readonly text: string;
}

/** Where a string index of a file is, as editors count: lines and columns from 1, columns in characters. */
export function placeAt(file: SourceFile, index: number): Place {
  let line = 1;
  let start = 0;
  for (let end = file.text.indexOf("\n"); end !== -1 && end < index; end = file.text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { path: file.path, line, column: Array.from(file.text.slice(start, index)).length + 1 };
}

/** Collects everything there is to say about a file, so that reading goes on after the first fault. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];
  private readonly file: SourceFile;

  constructor(file: SourceFile) {
    this.file = file;
  }

  fault<C extends ProblemCode>(code: C, fields: ProblemFields[C], index: number): void {
    // The compiler doesn't spread a generic code over the union; `problem` has checked code and fields together.
    this.problems.push(problem(code, fields, placeAt(this.file, index)) as unknown as Problem);
  }

  invalid(reason: string, index: number): void {
    this.fault("model_invalid", { reason }, index);
  }

  unsupported(what: string, instead: string, index: number): void {
    this.fault("model_unsupported", { what, instead }, index);
  }

  warn(sentence: string, index: number): void {
    this.warnings.push(`${placeText(placeAt(this.file, index))}: ${sentence}`);
  }
}
