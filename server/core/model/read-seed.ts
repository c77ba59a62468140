import { type Hash, hashJson } from "../base/hash.ts";
import { suggestion } from "../base/nearest-word.ts";
import { type Problem, placeText, problem } from "../base/problem.ts";
import { displayIdentifier, foldIdentifier } from "../base/relation-name.ts";
import { failed, ok, type Result } from "../base/result.ts";
import type { DeclaredColumn } from "./model.ts";
import type { CsvSettings } from "./seed-request.ts";
import { checkSeedValue, suggestType } from "./seed-types.ts";

/** One row of a CSV file as text, before anything is taken for NULL. */
export interface CsvRecord {
  /** Of its beginning, from 1: the header is line 1. */
  readonly line: number;
  readonly values: readonly string[];
}

export interface SeedText {
  /** Relative to the project. */
  readonly path: string;
  readonly records: readonly CsvRecord[];
  readonly csv: CsvSettings;
  readonly declared: readonly DeclaredColumn[] | null;
}

export interface SeedReading {
  readonly columns: readonly DeclaredColumn[];
  readonly rows: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | null)[])[] };
  /** Of header and rows as parsed: a byte order mark, line endings and quoting change nothing. */
  readonly content: Hash;
  readonly warnings: readonly string[];
}

/** What pandas takes for NULL unless told otherwise, so that a project gives the same rows here. */
const USUAL_NULLS: readonly string[] = [
  ...["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"],
  ...["<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"],
];

/** A file with many faults is one mistake, usually the delimiter: the first of them are enough. */
const MOST_FAULTS = 20;

/**
 * Rules: every row has as many values as the header. Names are folded like unquoted identifiers, unless a declared
 * column has exactly that name. The spellings of NULL are those of `csv_settings`, quoted or not; in a column that
 * isn't text an empty value is always NULL.
 */
export function readSeed(seed: SeedText): Result<SeedReading> {
  const [header, ...records] = seed.records;
  if (header === undefined) return failed(fault(seed, 1, "The seed is empty: its first line must name the columns."));
  const names = header.values.map((each) => columnName(each, seed.declared));
  const problems = [...checkNames(seed, header, names), ...checkLengths(seed, records, names.length)];
  if (problems.length > 0) return failed(...shortened(seed, problems));
  const nulls = new Set([...(seed.csv.keepDefaultNa ? USUAL_NULLS : []), ...seed.csv.naValues]);
  const columns =
    seed.declared ??
    names.map((name, at) => ({
      name,
      type: suggestType(
        records.map((each) => each.values[at] ?? ""),
        nulls,
      ),
    }));
  const sources = columns.map((column) => names.indexOf(column.name));
  const rows = records.map(({ line, values }) =>
    columns.map((column, at) => {
      const checked = checkSeedValue(values[sources[at] ?? 0] ?? "", column.type, nulls);
      if (checked.ok) return checked.value;
      problems.push(fault(seed, line, `${checked.reason} in column ${displayIdentifier(column.name)}.`));
      return null;
    }),
  );
  if (problems.length > 0) return failed(...shortened(seed, problems));
  const ordered = columns.map((column) => column.name);
  const unused = names.filter((name) => !ordered.includes(name));
  const warnings = unused.map(
    (name) =>
      `${placeText({ path: seed.path, line: 1, column: null })}: The column ${displayIdentifier(name)} isn't among the model's columns and is left out.`,
  );
  return ok({ columns, rows: { columns: ordered, rows }, content: hashJson({ columns: ordered, rows }), warnings });
}

function columnName(written: string, declared: readonly DeclaredColumn[] | null): string {
  const trimmed = written.trim();
  return (declared ?? []).some((column) => column.name === trimmed) ? trimmed : foldIdentifier(trimmed);
}

function checkNames(seed: SeedText, header: CsvRecord, names: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [at, name] of names.entries()) {
    if (name === "") problems.push(fault(seed, header.line, `Column ${at + 1} has no name.`));
    else if (names.indexOf(name) !== at)
      problems.push(fault(seed, header.line, `The column ${displayIdentifier(name)} is there twice.`));
  }
  for (const { name } of seed.declared ?? []) {
    if (names.includes(name)) continue;
    problems.push(
      fault(
        seed,
        header.line,
        `The model's column ${displayIdentifier(name)} isn't in the file.${suggestion(name, names)}`,
      ),
    );
  }
  return problems;
}

function checkLengths(seed: SeedText, records: readonly CsvRecord[], expected: number): readonly Problem[] {
  return records
    .filter((record) => record.values.length !== expected)
    .map(({ line, values }) => fault(seed, line, `${count(values.length, "value")}, ${count(expected, "column")}.`));
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function fault(seed: SeedText, line: number, reason: string): Problem {
  return problem("seed_invalid", { reason }, { path: seed.path, line, column: null });
}

function shortened(seed: SeedText, problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MOST_FAULTS) return problems;
  const more = problem(
    "seed_invalid",
    { reason: `${problems.length - MOST_FAULTS} more faults like these.` },
    { path: seed.path, line: null, column: null },
  );
  return [...problems.slice(0, MOST_FAULTS), more];
}
