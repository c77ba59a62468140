import { describe, expect, test } from "vitest";
import { projectFiles } from "./source-files.ts";

// What the core tsconfig can't see: the clock and chance belong to ECMAScript and compile everywhere. A plan that read
// either would differ from the one that was approved.

const impurities: Record<string, RegExp> = {
  "Date.now": /\bDate\s*\.\s*now\b/,
  "new Date without an argument": /\bnew\s+Date\s*(\(\s*\)|(?!\s*\())/,
  "Date() as a function": /(?<!new\s+)(?<![\w.])Date\s*\(/,
  "Math.random": /\bMath\s*\.\s*random\b/,
  "performance.": /(?<![\w.])performance\s*\./,
  "process.": /(?<![\w.])process\s*\./,
  "crypto.": /(?<![\w.])crypto\s*\./,
  "Temporal.Now": /\bTemporal\s*\.\s*Now\b/,
  "a locale of the machine": /\.toLocale\w*\(\s*\)|\bIntl\.\w+\(\s*\)|\.localeCompare\(\s*[^,()]+\)/,
};

/** Text without comments, which may name what code may not. Strings stay: a template can hold code. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`\\])\/\/.*$/gm, "$1");
}

describe("server/core reads no clock, chance or environment", () => {
  const core = projectFiles().filter(({ path }) => /^server\/core\/.*\.ts$/.test(path));

  test.each(Object.entries(impurities))("%s", (_name, pattern) => {
    expect(core.length).toBeGreaterThan(0);
    expect(core.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path)).toEqual([]);
  });

  test.each([
    ["Date.now", "const t = Date.now();"],
    ["new Date without an argument", "const t = new Date();"],
    ["new Date without an argument", "const t = new Date;"],
    ["Date() as a function", "const t = Date();"],
    ["Math.random", "Math.random()"],
    ["performance.", "performance.now()"],
    ["process.", "process.env.HOME"],
    ["a locale of the machine", "names.sort((a, b) => a.localeCompare(b))"],
  ])("%s would be found in %j", (name, text) => {
    expect(impurities[name]?.test(text)).toBe(true);
  });

  test.each(["new Date(milliseconds)", "new Date(Date.UTC(2024, 0))", "inProcess.run()", "plan.performance"])(
    "%j is fine",
    (text) => {
      expect(Object.values(impurities).filter((pattern) => pattern.test(text))).toEqual([]);
    },
  );
});
