import { expect, test } from "vitest";
import { projectFiles } from "./source-files.ts";

// One idea a file. Past 400 lines a file holds two: split it by kind, not into "part 2". The list of exceptions is empty
// and is here so that adding to it is a choice somebody sees.

const ceiling = 400;
const exceptions: readonly string[] = [];

test(`no source file is longer than ${ceiling} lines`, () => {
  const sources = projectFiles().filter(
    ({ path }) =>
      /^(server|app|components|scripts|test|e2e|bin)\//.test(path) &&
      /(\.(ts|tsx|mjs|cjs|js|css)|^bin\/[^.]+)$/.test(path),
  );
  const tooLong = sources
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, "").split("\n").length }))
    .filter(({ path, lines }) => lines > ceiling && !exceptions.includes(path));
  expect(sources.length).toBeGreaterThan(10);
  expect(tooLong).toEqual([]);
});
