import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvSettings, defaultCsvSettings } from "../../server/core/model/seed-request.ts";
import { readCsv } from "../../server/project/read-csv.ts";

function rows(text: string, settings: Partial<CsvSettings> = {}): unknown {
  const reading = readCsv(text, { ...defaultCsvSettings, ...settings });
  return reading.ok
    ? reading.records.map((record) => [record.line, ...record.values])
    : `${reading.line}: ${reading.reason}`;
}

describe("reading CSV", () => {
  it.each<readonly [string, string, unknown]>([
    [
      "plain rows",
      "a,b\n1,2\n",
      [
        [1, "a", "b"],
        [2, "1", "2"],
      ],
    ],
    [
      "no last line end",
      "a\n1",
      [
        [1, "a"],
        [2, "1"],
      ],
    ],
    [
      "CRLF and CR",
      "a,b\r\n1,2\r3,4",
      [
        [1, "a", "b"],
        [2, "1", "2"],
        [3, "3", "4"],
      ],
    ],
    [
      "empty values",
      "a,b\n,\n1,",
      [
        [1, "a", "b"],
        [2, "", ""],
        [3, "1", ""],
      ],
    ],
    [
      "empty lines are skipped",
      "a\n\n1\n\n",
      [
        [1, "a"],
        [3, "1"],
      ],
    ],
    [
      "a quoted empty value is a row",
      'a\n""\n',
      [
        [1, "a"],
        [2, ""],
      ],
    ],
    [
      "quotes",
      '"a","b ""c"""\n"1,2","3"',
      [
        [1, "a", 'b "c"'],
        [2, "1,2", "3"],
      ],
    ],
    [
      "line ends in quotes",
      'a,b\n"1\n2",3\n4,5',
      [
        [1, "a", "b"],
        [2, "1\n2", "3"],
        [4, "4", "5"],
      ],
    ],
    [
      "a quote inside a value",
      'a\n5" pipe',
      [
        [1, "a"],
        [2, '5" pipe'],
      ],
    ],
    [
      "white space is data",
      "a\n 1 ",
      [
        [1, "a"],
        [2, " 1 "],
      ],
    ],
    ["a quote that is never closed", 'a\n"1\n2', "2: A quote is opened here and never closed."],
    ["text behind a quote", 'a\n"1"2', "2: There is text behind a closing quote."],
    ["nothing", "", []],
  ])("%s", (_what, text, expected) => {
    expect(rows(text)).toEqual(expected);
  });

  it.each<readonly [string, string, Partial<CsvSettings>, unknown]>([
    [
      "delimiter",
      "a;b\n1;'2'",
      { delimiter: ";" },
      [
        [1, "a", "b"],
        [2, "1", "'2'"],
      ],
    ],
    [
      "quotechar",
      "a\n'1,2'",
      { quotechar: "'" },
      [
        [1, "a"],
        [2, "1,2"],
      ],
    ],
    [
      "escapechar",
      'a,b\n1\\,2,"3\\"4"',
      { escapechar: "\\" },
      [
        [1, "a", "b"],
        [2, "1,2", '3"4'],
      ],
    ],
    [
      "skipinitialspace",
      'a, b\n1, "2"',
      { skipinitialspace: true },
      [
        [1, "a", "b"],
        [2, "1", "2"],
      ],
    ],
    [
      "lineterminator",
      "a|1\n2|",
      { lineterminator: "|" },
      [
        [1, "a"],
        [2, "1\n2"],
      ],
    ],
  ])("%s", (_what, text, settings, expected) => {
    expect(rows(text, settings)).toEqual(expected);
  });

  it("reads back every table that is written by the rules", () => {
    const value = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", " ", "é", "'") });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 6 }));
    fc.assert(
      fc.property(table, (records) => {
        const text = records
          .map((record) => record.map((each) => `"${each.replaceAll('"', '""')}"`).join(","))
          .join("\n");
        const reading = readCsv(text, defaultCsvSettings);
        expect(reading.ok && reading.records.map((record) => record.values)).toEqual(records);
      }),
    );
  });

  it("never throws and always ends", () => {
    const text = fc.string({ unit: fc.constantFrom(",", '"', "\n", "\r", "a", "\\", " ", ";") });
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        (each, escapes) => void rows(each, escapes ? { escapechar: "\\", doublequote: false } : {}),
      ),
    );
  });
});
