import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength } from "../../../server/core/base/relation-name.ts";
import type { NamingRules } from "../../../server/core/model/project.ts";
import { physicalName, physicalNameIsCut, physicalSchema } from "../../../server/core/snapshot/physical-name.ts";

const plain: NamingRules = { physicalSchemas: [], physicalTable: "schema_and_table", suffixTarget: "schema" };

describe("physical names", () => {
  it.each([
    ["with a schema", { schema: "repro", name: "stg_items" }, plain, "sqlmesh__repro", "repro__stg_items__v1"],
    ["without one", { schema: null, name: "my_mv" }, plain, "sqlmesh__default", "my_mv__v1"],
    ["with letter case kept", { schema: "Sales", name: "Orders" }, plain, "sqlmesh__Sales", "Sales__Orders__v1"],
    [
      "table_only",
      { schema: "repro", name: "a" },
      { ...plain, physicalTable: "table_only" },
      "sqlmesh__repro",
      "a__v1",
    ],
    [
      "hash_md5 of what schema_and_table would give",
      { schema: "repro", name: "a" },
      { ...plain, physicalTable: "hash_md5" },
      "sqlmesh__repro",
      // printf 'sqlmesh__repro.repro__a__v1' | md5sum
      "sqlmesh_md5__594833d0ad7168b8f77017b59e7a7585",
    ],
    [
      "into a mapped schema",
      { schema: "staging_eu", name: "a" },
      { ...plain, physicalSchemas: [{ pattern: "staging", schema: "store" }] },
      "store",
      "staging_eu__a__v1",
    ],
    [
      "not mapped by a match later in the schema's name",
      { schema: "my_staging", name: "a" },
      { ...plain, physicalSchemas: [{ pattern: "staging", schema: "store" }] },
      "sqlmesh__my_staging",
      "my_staging__a__v1",
    ],
  ] satisfies [string, Parameters<typeof physicalName>[0], NamingRules, string, string][])(
    "%s",
    (_, name, naming, schema, table) => {
      expect(physicalName(name, "v1", naming, false)).toEqual({ schema, name: table });
      expect(physicalName(name, "v1", naming, true)).toEqual({ schema, name: `${table}__dev` });
    },
  );

  it("B14: two names that differ only in letters outside ASCII stay apart", () => {
    const [size, greetings] = ["größe", "grüße"].map((name) =>
      physicalName({ schema: "shop", name }, "v1", plain, false),
    );
    expect(size?.name).toMatch(/^shop__gr__e__[a-z2-7]{8}__v1$/);
    expect(greetings?.name).toMatch(/^shop__gr__e__[a-z2-7]{8}__v1$/);
    expect(size).not.toEqual(greetings);
  });

  it("B83: two versions of a long name are two names, within 63 bytes with the preview's suffix", () => {
    const long = { schema: "warehouse_core", name: "customer_order_line_status_changes_by_region_daily" };
    const one = physicalName(long, "abcdefghij", plain, true);
    const two = physicalName(long, "abcdefghik", plain, true);
    expect(one).not.toEqual(two);
    expect(byteLength(one.name)).toBeLessThanOrEqual(63);
    expect(one.name).toMatch(/__abcdefghij__dev$/);
    expect(physicalNameIsCut(long, "abcdefghij", plain)).toBe(true);
    expect(physicalNameIsCut({ schema: "a", name: "b" }, "abcdefghij", plain)).toBe(false);
  });

  it("law: different models never share a name, and no name is longer than the server keeps", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 70 });
    const near = fc.constantFrom("größe", "grüße", "a b", "a_b", "a.b", "x".repeat(63), `${"x".repeat(62)}y`);
    const name = fc.record({ schema: fc.option(fc.oneof(word, near)), name: fc.oneof(word, near) });
    fc.assert(
      fc.property(
        name,
        name,
        fc.constantFrom("schema_and_table", "hash_md5"),
        fc.boolean(),
        (a, b, convention, preview) => {
          const naming: NamingRules = { ...plain, physicalTable: convention };
          const one = physicalName(a, "abcdefghij", naming, preview);
          expect(byteLength(one.name)).toBeLessThanOrEqual(63);
          expect(byteLength(one.schema)).toBeLessThanOrEqual(63);
          // "default".m and m share a schema and a virtual view; the plan refuses the pair before names matter.
          if ((a.schema ?? "default") === (b.schema ?? "default") && a.name === b.name) return;
          const other = physicalName(b, "abcdefghij", naming, preview);
          expect(other).not.toEqual(one);
        },
      ),
    );
  });

  it("a schema that would be cut is shortened with a hash", () => {
    const schema = physicalSchema({ schema: "é".repeat(31), name: "a" }, plain);
    expect(byteLength(schema)).toBeLessThanOrEqual(63);
    expect(schema).not.toBe(physicalSchema({ schema: `${"é".repeat(30)}e`, name: "a" }, plain));
  });
});
