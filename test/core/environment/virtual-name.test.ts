import { describe, expect, it } from "vitest";
import { virtualName } from "../../../server/core/environment/virtual-name.ts";
import type { NamingRules } from "../../../server/core/model/project.ts";

const naming: NamingRules = { physicalSchemas: [], physicalTable: "schema_and_table", suffixTarget: "schema" };

describe("virtual names", () => {
  it.each([
    [{ schema: "repro", name: "a" }, "prod", "schema", { schema: "repro", name: "a" }],
    [{ schema: null, name: "my_mv" }, "prod", "schema", { schema: "default", name: "my_mv" }],
    [{ schema: "Sales", name: "Top" }, "dev", "schema", { schema: "Sales__dev", name: "Top" }],
    [{ schema: null, name: "my_mv" }, "dev", "schema", { schema: "default__dev", name: "my_mv" }],
    [{ schema: "Sales", name: "Top" }, "dev", "table", { schema: "Sales", name: "Top__dev" }],
    [{ schema: "Sales", name: "Top" }, "prod", "table", { schema: "Sales", name: "Top" }],
  ] as const)("%j in %s with suffix on the %s", (name, environment, suffixTarget, relation) => {
    expect(virtualName(name, environment, { ...naming, suffixTarget })).toEqual(relation);
  });
});
