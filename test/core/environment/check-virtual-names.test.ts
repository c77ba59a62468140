import { beforeAll, describe, expect, it } from "vitest";
import { problemSentence } from "../../../server/core/base/problem-sentence.ts";
import { checkVirtualNames, findNameClaims } from "../../../server/core/environment/check-virtual-names.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { anEnvironment, aPromotedModel } from "../../builders/environment.ts";
import { plainNaming } from "../../builders/model.ts";
import { sketchedProject } from "../../builders/snapshot.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const modelsOf = (...names: readonly string[]) =>
  sketchedProject(
    parser,
    names.map((name) => ({ name })),
  ).models;

describe("names of an environment", () => {
  it("that the server would cut are refused, the longest first; models without a view don't count", () => {
    const long = "s".repeat(60);
    const longer = "t".repeat(62);
    const models = modelsOf("shop.a", `${long}.a`, `${longer}.a`);
    const embedded = sketchedProject(parser, [{ name: `${"e".repeat(63)}.a`, kind: "embedded" }]).models;
    const problems = checkVirtualNames([...models, ...embedded], "dev", plainNaming);
    expect(problems.map(problemSentence)).toEqual([
      `Names in the environment dev would be longer than 63 bytes: ${longer}__dev, ${long}__dev. Choose shorter names.`,
    ]);
    expect(checkVirtualNames(models, "prod", plainNaming)).toEqual([]);
    expect(checkVirtualNames(models, "dev", { ...plainNaming, suffixTarget: "table" })).toEqual([]);
  });

  it("count in bytes", () => {
    expect(checkVirtualNames(modelsOf(`"${"é".repeat(30)}".a`), "x", plainNaming)).toEqual([]);
    expect(checkVirtualNames(modelsOf(`"${"é".repeat(30)}".a`), "xy", plainNaming)).toHaveLength(1);
  });

  it("that two models or two environments would share are found, another project's as well", () => {
    const models = modelsOf("m", '"default".m', "a.x");
    const others = [
      anEnvironment({
        name: "prod",
        models: [aPromotedModel({ model: "a__dev.x", view: { schema: "a__dev", name: "x" } })],
      }),
      anEnvironment({ name: "dev", models: [aPromotedModel({ model: "a.x", view: { schema: "a__dev", name: "x" } })] }),
      anEnvironment({
        name: "dev",
        project: "other",
        models: [aPromotedModel({ model: "a.x", view: { schema: "a__dev", name: "x" } })],
      }),
    ];
    expect(findNameClaims("shop", models, "dev", plainNaming, others)).toEqual([
      { relation: "a__dev.x", models: ["a.x"], others: ["other/dev a.x", "shop/prod a__dev.x"] },
      { relation: "default__dev.m", models: ["default.m", "m"], others: [] },
    ]);
  });
});
