import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { after, before, first } from "./crash-project.ts";
import { walkAllMoments } from "./walk.ts";
import { endAdmin } from "./world.ts";

// For whoever doubts that the moments left out leave what the one before them left: three times as many, three times the time.
const every = process.env.WEIR_WALK_EVERY_MOMENT === "1";

// One process is at work here, two servers' and two that are killed beside it: as many as keep two cores busy.
const lanes = 3;

afterAll(endAdmin);

test.each([
  { name: "first", what: "a first apply", before: null, after: first },
  { name: "change", what: "an apply of every kind of action", before, after },
])("$what survives being killed at any moment", { timeout: 1_800_000 }, async ({ what, ...walk }) => {
  const started = performance.now();
  const { moments, failures } = await walkAllMoments({ ...walk, lanes, every });
  console.log(`${what}: killed at ${moments} moments, ${((performance.now() - started) / 1000).toFixed(0)} s`);
  expect(failures).toEqual([]);
});
