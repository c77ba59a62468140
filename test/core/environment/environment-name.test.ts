import { describe, expect, it } from "vitest";
import { problemSentence } from "../../../server/core/base/problem-sentence.ts";
import { normaliseEnvironmentName } from "../../../server/core/environment/environment-name.ts";

describe("B88: one normaliser for environment names", () => {
  it.each([
    ["my-env", "my_env"],
    ["MY_ENV", "my_env"],
    ["my.env", "my_env"],
    ["feature/abc-12", "feature_abc_12"],
    [" prod ", "prod"],
    ["PROD", "prod"],
    ["Größe", "größe"],
    // The same letter as one character and as two.
    ["gro\u0308\u00dfe", "größe"],
    ["x".repeat(60), "x".repeat(60)],
  ])("%s is %s", (text, name) => {
    expect(normaliseEnvironmentName(text)).toEqual({ ok: true, value: name });
  });

  it.each([
    ["", "it is empty."],
    ["   ", "it is empty."],
    ["a;b", 'not ";"'],
    ['a"b', 'not "\\""'],
    ["a'b", `not "'"`],
    ["--", "it needs a letter or a digit."],
    ["x".repeat(61), "it has 61 bytes"],
    ["é".repeat(31), "it has 62 bytes"],
  ])("refuses %j with one clear sentence", (text, part) => {
    const result = normaliseEnvironmentName(text);
    expect(result.ok ? [] : result.problems.map(problemSentence)).toEqual([expect.stringContaining(part)]);
  });

  it("what comes out stays as it is", () => {
    const once = normaliseEnvironmentName("Feature/ABC 1");
    expect(once.ok && normaliseEnvironmentName(once.value)).toEqual(once);
  });
});
