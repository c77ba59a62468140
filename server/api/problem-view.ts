import { z } from "zod";
import { type Problem, placeText } from "../core/base/problem.ts";
import { problemSentence } from "../core/base/problem-sentence.ts";

export const problemViewSchema = z.object({
  code: z.string(),
  /** What happened, why, and what to do. */
  sentence: z.string(),
  /** `models/a.sql:3:14`, where the problem has a place. */
  place: z.string().nullable(),
  /** The database's own words, where it was the database. */
  message: z.string().nullable(),
});
export type ProblemView = z.infer<typeof problemViewSchema>;

export function viewProblem(problem: Problem): ProblemView {
  return {
    code: problem.code,
    sentence: problemSentence(problem),
    place: problem.place === null ? null : placeText(problem.place),
    message: "message" in problem ? problem.message : null,
  };
}
