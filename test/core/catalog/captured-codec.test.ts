import { describe, expect, test } from "vitest";
import type { Captured } from "../../../server/core/catalog/captured.ts";
import { capturedSchema } from "../../../server/core/catalog/captured-codec.ts";
import {
  aCapturedCheck,
  aCapturedDefault,
  aCapturedFunction,
  aCapturedIndex,
  aCapturedMaterializedView,
  aCapturedPolicy,
  aCapturedRule,
  aCapturedStatistics,
  aCapturedTrigger,
  aCapturedView,
  aGrant,
} from "../../builders/captured.ts";

const everything: readonly Captured[] = [
  aCapturedView("v", { labels: [{ provider: "p", label: "l" }], grants: [aGrant("app")] }),
  aCapturedMaterializedView(),
  aCapturedIndex("i", { statisticsTargets: [{ column: 1, target: 0 }] }),
  aCapturedStatistics(),
  aCapturedRule(),
  aCapturedTrigger(),
  aCapturedPolicy(),
  aCapturedDefault(),
  aCapturedCheck(),
  aCapturedFunction("f", { cost: 0.5 }),
];

describe("the stored shape of captured objects", () => {
  test.each(everything)("$kind: out and in again is the same", (captured) => {
    expect(capturedSchema.parse(JSON.parse(JSON.stringify(captured)))).toEqual(captured);
  });

  test.each(everything)("$kind: no side may be missing, and none be there that we don't know", (captured) => {
    for (const key of Object.keys(captured)) {
      const { [key]: _, ...rest } = captured as unknown as Record<string, unknown>;
      expect({ key, ok: capturedSchema.safeParse(rest).success }).toEqual({ key, ok: false });
    }
    expect(capturedSchema.safeParse({ ...captured, more: 1 }).success).toBe(false);
  });
});
