import { describe, expect, test } from "vitest";
import { exitOfFailure, exitOfPlan, type StopName } from "../../server/cli/exit-code.ts";
import { type Problem, problem } from "../../server/core/base/problem.ts";

const wrongUsage = problem("usage_invalid", { reason: "Unknown option." });
const unreachable = problem("engine_unreachable", { target: "db:5432", reason: "refused" });
const broken = problem("syntax_error", { message: "syntax error" });
const held = problem("environment_held", { environment: "prod", by: "ilse", since: "10:00" });
const refused = problem("approval_missing", { plan: "abc", missing: ["nobody has approved it"] });
const failedAction = problem("action_failed", {
  action: "fill",
  target: "a.b",
  sqlstate: "22012",
  message: "division",
});
const ownFault = problem("internal_error", { message: "oops" });

describe("the exit code of a failure", () => {
  const table: readonly (readonly [string, readonly Problem[], StopName | null, number])[] = [
    ["wrong usage", [wrongUsage], null, 64],
    ["wrong usage before everything", [failedAction, refused, held, broken, unreachable, wrongUsage], null, 64],
    ["a database out of reach before a broken project", [broken, unreachable], null, 5],
    ["a broken project", [broken, broken], null, 4],
    ["an environment held by another run before a refusal", [refused, held], null, 6],
    ["a refusal before a failure", [failedAction, refused], null, 3],
    ["a failed action", [failedAction], null, 1],
    ["a fault of our own", [ownFault], null, 1],
    ["no problem at all to show for it", [], null, 1],
    ["Ctrl-C", [problem("run_interrupted", { run: "r", stage: "fill" })], "SIGINT", 130],
    ["SIGTERM", [problem("run_interrupted", { run: "r", stage: "fill" })], "SIGTERM", 143],
    ["stopped by somebody else, without a signal", [problem("run_interrupted", { run: "r", stage: "fill" })], null, 1],
    ["a signal counts before what it caused", [unreachable], "SIGINT", 130],
  ];
  test.each(table)("%s", (_name, problems, signal, exit) => {
    expect(exitOfFailure(problems, signal)).toBe(exit);
  });
});

describe("the exit code of a plan that was shown", () => {
  test.each([
    ["empty", false, 0],
    ["empty", true, 0],
    ["applicable", false, 0],
    ["applicable", true, 2],
    ["blocked", false, 3],
    ["blocked", true, 3],
  ] as const)("%s, detailed %s", (result, detailed, exit) => {
    expect(exitOfPlan({ result }, detailed)).toBe(exit);
  });
});
