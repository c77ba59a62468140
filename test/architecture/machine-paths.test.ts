import { expect, test } from "vitest";
import { projectFiles } from "./source-files.ts";

// Nothing in the repository may depend on, or tell of, the machine that it was written on.

const before = String.raw`(?<![\w.~/-])`;
const traces: Record<string, RegExp> = {
  "a home or work folder": new RegExp(`${before}/(work/|root/|home/\\w|Users/\\w)`),
  "a temporary folder by name": new RegExp(`${before}/(tmp|var/folders)/\\w`),
  "a package registry":
    /\b(registry\.(npmjs|yarnpkg)|npm\.pkg|pypi|files\.pythonhosted|deb\.debian|\w+\.jfrog)\.(org|com|io)\b/,
  "a registry token": /_auth(Token)?\s*=/,
};
const exempt = ["package-lock.json", "test/architecture/machine-paths.test.ts"];

test.each(Object.entries(traces))("no file contains %s", (_name, pattern) => {
  const found = projectFiles()
    .filter(({ path }) => !exempt.includes(path))
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
