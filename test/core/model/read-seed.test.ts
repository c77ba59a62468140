import { describe, expect, it } from "vitest";
import { problemLine } from "../../../server/core/base/problem-sentence.ts";
import type { DeclaredColumn } from "../../../server/core/model/model.ts";
import { readSeed, type SeedReading } from "../../../server/core/model/read-seed.ts";
import { type CsvSettings, defaultCsvSettings } from "../../../server/core/model/seed-request.ts";
import { readCsv } from "../../../server/project/read-csv.ts";

function declared(text: string): readonly DeclaredColumn[] {
  return text
    .split(",")
    .map((each) => ({ name: each.trim().split(" ")[0] ?? "", type: each.trim().replace(/^\S+ /, "") }));
}

function read(
  text: string,
  columns: string | null,
  settings: Partial<CsvSettings> = {},
): SeedReading | readonly string[] {
  const csv = { ...defaultCsvSettings, ...settings };
  const records = readCsv(text, csv);
  if (!records.ok) throw new Error(records.reason);
  const seed = readSeed({
    path: "seeds/a.csv",
    records: records.records,
    csv,
    declared: columns === null ? null : declared(columns),
  });
  return seed.ok ? seed.value : seed.problems.map(problemLine);
}

function rows(text: string, columns: string | null, settings: Partial<CsvSettings> = {}): unknown {
  const seed = read(text, columns, settings);
  return "rows" in seed ? seed.rows.rows : seed;
}

describe("the rows of a seed", () => {
  it("keeps NULL apart from false in boolean columns (B03)", () => {
    expect(rows("id,ok\n1,null\n2,false\n3,true\n4,\n", "id INT, ok BOOLEAN")).toEqual([
      ["1", null],
      ["2", "false"],
      ["3", "true"],
      ["4", null],
    ]);
    expect(rows("id,ok\n1,maybe\n", "id INT, ok BOOLEAN")).toEqual([
      'seeds/a.csv:2: "maybe" isn\'t true or false in column ok.',
    ]);
  });

  it("refuses rows of another length than the header, naming file, line and counts (B05)", () => {
    expect(rows("id,name\n1,North,\n2,South,x\n3\n", null)).toEqual([
      "seeds/a.csv:2: 3 values, 2 columns.",
      "seeds/a.csv:3: 3 values, 2 columns.",
      "seeds/a.csv:4: 1 value, 2 columns.",
    ]);
  });

  it("tells empty from NULL by one rule (B06)", () => {
    const text = 'k,a,n,d\nx,"",1,2020-02-29\ny,,,\nz,NULL,3,2020-03-01\n';
    const columns = "k TEXT, a TEXT, n INT, d DATE";
    expect(rows(text, columns)).toEqual([
      ["x", null, "1", "2020-02-29"],
      ["y", null, null, null],
      ["z", null, "3", "2020-03-01"],
    ]);
    expect(rows(text, columns, { keepDefaultNa: false })).toEqual([
      ["x", "", "1", "2020-02-29"],
      ["y", "", null, null],
      ["z", "NULL", "3", "2020-03-01"],
    ]);
    expect(rows("a\n-\nx\n", "a TEXT", { keepDefaultNa: false, naValues: ["-"] })).toEqual([[null], ["x"]]);
  });

  it.each([
    ["a int", "1.5", '"1.5" isn\'t int in column a.'],
    ["a int", "3000000000", '"3000000000" isn\'t int in column a.'],
    ["a smallint", "40000", '"40000" isn\'t smallint in column a.'],
    ["a bigint", "9223372036854775808", '"9223372036854775808" isn\'t bigint in column a.'],
    ["a date", "2023-02-29", '"2023-02-29" isn\'t a date written YYYY-MM-DD in column a.'],
    ["a date", "01/02/2023", '"01/02/2023" isn\'t a date written YYYY-MM-DD in column a.'],
    ["a numeric", "1,5", '"1,5" isn\'t a number in column a.'],
  ])("checks %s: %s", (columns, value, message) => {
    expect(rows(`a\n"${value}"\n`, columns)).toEqual([`seeds/a.csv:2: ${message}`]);
  });

  it.each([
    ["a int", " 7 ", "7"],
    ["a bigint", "9223372036854775807", "9223372036854775807"],
    ["a boolean", "T", "true"],
    ["a boolean", "no", "false"],
    ["a date", "2024-02-29", "2024-02-29"],
    ["a double precision", "1e-3", "1e-3"],
    ["a text", " x ", " x "],
    ["a varchar(20)", "007", "007"],
    ["a uuid", "whatever the server takes", "whatever the server takes"],
    ["a int[]", "{1,2}", "{1,2}"],
  ])("takes %s: %s", (columns, value, expected) => {
    expect(rows(`a\n"${value}"\n`, columns)).toEqual([[expected]]);
  });

  it("suggests types for columns that nobody declared", () => {
    const seed = read("ID,amount,ok,code,day,none\n1,1.5,true,007,2024-01-01,\n,2,False,1,x,\n", null);
    expect("columns" in seed && seed.columns.map((each) => `${each.name} ${each.type}`)).toEqual([
      "id bigint",
      "amount double precision",
      "ok boolean",
      "code text",
      "day text",
      "none text",
    ]);
  });

  it("takes columns in the declared order, by exact name first, and says what it leaves out", () => {
    const seed = read("b,Id,c\n2,1,3\n", "Id int, b int");
    if (!("rows" in seed)) throw new Error(seed.join());
    expect(seed.rows).toEqual({ columns: ["Id", "b"], rows: [["1", "2"]] });
    expect(seed.warnings).toEqual(["seeds/a.csv:1: The column c isn't among the model's columns and is left out."]);
  });

  it.each([
    ["", "seeds/a.csv:1: The seed is empty: its first line must name the columns."],
    ["a,a\n1,2\n", "seeds/a.csv:1: The column a is there twice."],
    ["a,\n1,2\n", "seeds/a.csv:1: Column 2 has no name."],
  ])("refuses the header of %s", (text, message) => {
    expect(rows(text, null)).toEqual([message]);
  });

  it("names the column that the file lacks and the nearest that it has", () => {
    expect(rows("id,nmae\n1,x\n", "id int, name text")).toEqual([
      "seeds/a.csv:1: The model's column name isn't in the file. Did you mean nmae?",
    ]);
  });

  it("says the first faults of a file full of them", () => {
    const seed = rows(`a\n${"x\n".repeat(50)}`, "a int") as readonly string[];
    expect(seed).toHaveLength(21);
    expect(seed.at(-1)).toBe("seeds/a.csv: 30 more faults like these.");
  });

  it("is the same content with other line ends and quotes, another with other rows", () => {
    const content = (text: string): string => {
      const seed = read(text, "id int, n text");
      return "content" in seed ? seed.content : "";
    };
    expect(content('"id","n"\r\n1,"a"\r\n')).toBe(content("id,n\n1,a"));
    expect(content("id,n\n1,b\n")).not.toBe(content("id,n\n1,a\n"));
  });
});
