import { type Problem, type ProblemCode, type ProblemFields, placeText } from "./problem.ts";
import type { Sentences } from "./problem-shape.ts";
import { applySentences } from "./problems/apply-problems.ts";
import { engineSentences } from "./problems/engine-problems.ts";
import { loadSentences } from "./problems/load-problems.ts";
import { planSentences } from "./problems/plan-problems.ts";
import { reviewSentences } from "./problems/review-problems.ts";
import { stateSentences } from "./problems/state-problems.ts";
import { usageSentences } from "./problems/usage-problems.ts";

const sentences: Sentences<ProblemFields> = {
  ...loadSentences,
  ...planSentences,
  ...stateSentences,
  ...engineSentences,
  ...reviewSentences,
  ...applySentences,
  ...usageSentences,
};

/** What happened, why, and what to do, in one or two sentences without the place. */
export function problemSentence(problem: Problem): string {
  const sentence = sentences[problem.code] as (fields: ProblemFields[ProblemCode]) => string;
  return sentence(problem);
}

/** The sentence with its place in front, as compilers print it: `models/a.sql:3:14: …`. */
export function problemLine(problem: Problem): string {
  return problem.place === null ? problemSentence(problem) : `${placeText(problem.place)}: ${problemSentence(problem)}`;
}
