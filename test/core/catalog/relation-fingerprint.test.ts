import fc from "fast-check";
import { expect, test } from "vitest";
import type { CatalogRelation } from "../../../server/core/catalog/catalog.ts";
import { fingerprintRelation } from "../../../server/core/catalog/relation-fingerprint.ts";

const grant = { grantor: "o", grantee: "PUBLIC", privilege: "SELECT", grantable: false };

const base: CatalogRelation = {
  name: { schema: "s", name: "v" },
  kind: "view",
  owner: "o",
  mayAlter: true,
  columns: [
    { name: "a", type: "integer", collation: null, notNull: false, hasDefault: false, comment: null, grants: [] },
  ],
  options: [],
  grants: [grant],
  comment: null,
  indexes: [{ name: "i", definition: "CREATE INDEX", unique: false, valid: true }],
  rules: [],
  triggers: [],
  definition: "SELECT 1",
  populated: null,
  estimatedRows: null,
  bytes: null,
  extension: null,
  fingerprint: "",
};

function of(changes: Partial<CatalogRelation>, detail: string[] = []): string {
  return fingerprintRelation({ ...base, ...changes }, detail);
}

test.each<[string, Partial<CatalogRelation>]>([
  ["its name", { name: { schema: "s", name: "w" } }],
  ["its kind", { kind: "materialized_view" }],
  ["its owner", { owner: "p" }],
  ["a column's type", { columns: [{ ...base.columns[0], type: "bigint" } as CatalogRelation["columns"][number]] }],
  ["a column's grants", { columns: [{ ...base.columns[0], grants: [grant] } as CatalogRelation["columns"][number]] }],
  ["an option", { options: ["security_barrier=true"] }],
  ["a grant", { grants: [{ ...grant, grantable: true }] }],
  ["a comment", { comment: "" }],
  ["an index's validity", { indexes: [{ name: "i", definition: "CREATE INDEX", unique: false, valid: false }] }],
  ["a rule", { rules: ["r"] }],
  ["a trigger of the same name as a rule", { triggers: ["r"] }],
  ["its definition", { definition: "SELECT 2" }],
  ["whether it is filled", { populated: true }],
  ["its extension", { extension: "x" }],
])("a fingerprint changes with %s", (_what, changes) => {
  expect(of(changes)).not.toBe(of({}));
});

test("a fingerprint changes with details that only the server knows", () => {
  expect(of({}, ["CHECK (a > 0)"])).not.toBe(of({}));
});

test("a fingerprint doesn't change with estimates, sizes, or who is asking", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.boolean(), (estimatedRows, bytes, mayAlter) => {
      expect(of({ estimatedRows, bytes, mayAlter })).toBe(of({}));
    }),
  );
});
