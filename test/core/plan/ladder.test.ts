import { describe, expect, test } from "vitest";
import { chooseRung, findCarried, findObstacles, servedOrder } from "../../../server/core/plan/ladder/choose-rung.ts";
import { aRelation, catalogColumnsOf, outputColumnsOf } from "../../builders/catalog.ts";

const view = (columns: string) => aRelation({ name: "s.v", columns });

describe("which rung is legal, as PostgreSQL decides it (42P16)", () => {
  test.each([
    ["the same columns", "a integer, b text", "a integer, b text", "replace", []],
    ["a column appended", "a integer, b text", "a integer, b text, c date", "replace", []],
    ["a column removed", "a integer, b text", "a integer", "recreate", ["column_removed b"]],
    ["the first column removed", "a integer, b text", "b text", "recreate", ["column_removed a"]],
    ["a column renamed", "a integer, b text", "a integer, x text", "recreate", ["column_renamed b"]],
    ["a column in the middle", "a integer, b text", "a integer, x text, b text", "recreate", ["column_moved b"]],
    ["columns swapped", "a integer, b text", "b text, a integer", "recreate", ["column_moved a", "column_moved b"]],
    ["another type", "a integer", "a bigint", "recreate", ["column_retyped a"]],
    ["another length", "a varchar(10)", "a varchar(20)", "recreate", ["column_retyped a"]],
    [
      "removed and another in its place",
      "a integer, b text, c date",
      "a integer, x date, c date",
      "recreate",
      ["column_removed b"],
    ],
  ] as const)("%s", (_what, before, after, rung, obstacles) => {
    const choice = chooseRung(view(before), outputColumnsOf(after));
    expect(choice.rung).toBe(rung);
    expect(choice.obstacles.map((each) => `${each.code} ${"column" in each ? each.column : ""}`)).toEqual(obstacles);
  });

  test("another collation counts as another type: 14 would take it silently", () => {
    const [column] = outputColumnsOf("a text");
    const obstacles = findObstacles(column === undefined ? [] : [column], [
      { name: "a", type: "text", collation: '"C"' },
    ]);
    expect(obstacles).toEqual([
      { rung: "replace", code: "column_retyped", column: "a", from: "text", to: 'text COLLATE "C"' },
    ]);
  });

  test("a free name is created, a table under the name is not ours", () => {
    expect(chooseRung(null, outputColumnsOf("a integer")).rung).toBe("create");
    expect(chooseRung(aRelation({ name: "s.v", kind: "table" }), outputColumnsOf("id integer"))).toEqual({
      rung: "not_ours",
      obstacles: [{ rung: "replace", code: "not_a_view", kind: "table" }],
    });
  });
});

describe("the order that a name serves", () => {
  test.each([
    ["nothing there yet", null, ["b", "a"], true, ["b", "a"]],
    ["nothing holds on to places", ["a", "b"], ["b", "a"], false, ["b", "a"]],
    ["places are held", ["a", "b"], ["b", "a"], true, ["a", "b"]],
    ["new ones come last", ["a", "b"], ["a", "x", "b"], true, ["a", "b", "x"]],
    ["removed ones leave the rest in place", ["a", "b", "c"], ["c", "x", "a"], true, ["a", "c", "x"]],
  ] as const)("%s", (_what, current, model, keep, expected) => {
    expect(servedOrder(current, model, keep)).toEqual(expected);
  });
});

test("everything that a drop would lose is found, and what is ours isn't", () => {
  const grant = { grantor: "deploy", privilege: "SELECT", grantable: false };
  const columns = catalogColumnsOf("id integer, due date").map((column, index) =>
    index === 0
      ? { ...column, hasDefault: true, comment: "by hand", grants: [{ ...grant, grantee: "bi" }] }
      : { ...column, comment: "ours, too" },
  );
  const relation = aRelation({
    name: "s.v",
    owner: "team_a",
    columns,
    comment: "ours",
    grants: [
      { ...grant, grantee: "team_a" },
      { ...grant, grantee: "reader", grantable: true },
    ],
    options: ["security_barrier=true", "security_invoker=true"],
    rules: ["r"],
    triggers: ["t"],
  });
  const ours = { comments: new Set(["ours", "ours, too"]), options: new Set(["security_barrier=true"]) };
  expect(findCarried(relation, "deploy", ours).map((each) => each.text)).toEqual([
    "owner team_a",
    "SELECT to reader with grant option",
    "SELECT (id) to bi",
    "comment on column id",
    "option security_invoker=true",
    "default of column id",
    "rule r",
    "trigger t",
  ]);
  expect(findCarried(aRelation({ name: "s.v" }), "deploy", ours)).toEqual([]);
});
