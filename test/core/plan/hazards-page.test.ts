import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockerCodes, hazardCodes, hazardSeverity } from "../../../server/core/plan/hazards/hazard-codes.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/hazards.md"), "utf8");
const [hazards = "", blockers = ""] = page.split("## Blockers");
const rows = (text: string) =>
  [...text.matchAll(/^\| `(\w+)` \| ([^|]+?) \|/gm)].map((row) => [row[1] ?? "", row[2] ?? ""] as const);

test("the page of hazards explains each code once, with its weight, and no other", () => {
  expect(
    rows(hazards)
      .map(([code]) => code)
      .sort(),
  ).toEqual([...hazardCodes].sort());
  for (const [code, weight] of rows(hazards))
    expect([code, weight]).toEqual([code, hazardSeverity[code as keyof typeof hazardSeverity]]);
});

test("the page of blockers explains each code once, and no other", () => {
  expect(
    rows(blockers)
      .map(([code]) => code)
      .sort(),
  ).toEqual([...blockerCodes].sort());
});
