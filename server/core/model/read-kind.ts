import { suggestion } from "../base/nearest-word.ts";
import type { Findings } from "../base/source-file.ts";
import { type HeaderProperty, splitHeader, type TokenRange } from "../sql/header.ts";
import {
  canonicalText,
  readAssignments,
  readBoolean,
  readText,
  readTexts,
  unwrapped,
  writtenText,
} from "../sql/header-value.ts";
import { textOf } from "../sql/model-file.ts";
import type { ModelKind } from "./model-kind.ts";
import { type CsvSettings, defaultCsvSettings, type SeedRequest } from "./seed-request.ts";

/** A kind as a header says it: a seed's rows aren't read yet. */
export type DeclaredKind =
  | Exclude<ModelKind, { readonly kind: "seed" }>
  | { readonly kind: "seed"; readonly seed: SeedRequest };

export interface KindReading {
  readonly kind: DeclaredKind;
  /** Properties of the kind that are labels only, as canonical texts. */
  readonly labels: { readonly [property: string]: string };
}

const SUPPORTED = ["VIEW", "FULL", "SEED", "EMBEDDED", "INCREMENTAL_BY_PARTITION"];
const LATER = [
  "INCREMENTAL_BY_TIME_RANGE",
  "INCREMENTAL_BY_UNIQUE_KEY",
  "INCREMENTAL_UNMANAGED",
  "SCD_TYPE_2",
  "SCD_TYPE_2_BY_TIME",
  "SCD_TYPE_2_BY_COLUMN",
  "MANAGED",
  "CUSTOM",
  "DBT_CUSTOM",
];

/** `VIEW`, `VIEW (materialized true)`, `SEED (path '…')`, … Null after reporting what is wrong. */
export function readKind(range: TokenRange, findings: Findings): KindReading | null {
  const [first, ...rest] = range.tokens;
  if (first === undefined) return null;
  const name = textOf(range.file, first).toUpperCase();
  if (first.kind === "macro") {
    findings.fault("macro_unsupported", { macro: textOf(range.file, first) }, first.start);
    return null;
  }
  if (name === "EXTERNAL") {
    findings.invalid("External models are declared in external_models.yaml, not in a model file.", first.start);
    return null;
  }
  if (LATER.includes(name)) {
    findings.unsupported(`The kind ${name}`, `Kinds that are: ${SUPPORTED.join(", ")}.`, first.start);
    return null;
  }
  if (first.kind !== "word" || !SUPPORTED.includes(name)) {
    const near = suggestion(name, [...SUPPORTED, ...LATER]);
    findings.invalid(
      `There is no kind ${textOf(range.file, first)}.${near === "" ? ` Kinds are: ${SUPPORTED.join(", ")}.` : near}`,
      first.start,
    );
    return null;
  }
  const properties = readKindProperties(range, rest, findings);
  return properties === null ? null : build(name, first.start, properties, findings);
}

function readKindProperties(
  range: TokenRange,
  rest: TokenRange["tokens"],
  findings: Findings,
): readonly HeaderProperty[] | null {
  const [open] = rest;
  if (open === undefined) return [];
  const inner = unwrapped({ ...range, tokens: rest });
  if (inner === null) {
    findings.invalid(`${textOf(range.file, open)} can't follow the kind. Is a comma missing before it?`, open.start);
    return null;
  }
  return splitHeader(range.file, inner, findings);
}

function build(
  name: string,
  at: number,
  properties: readonly HeaderProperty[],
  findings: Findings,
): KindReading | null {
  switch (name) {
    case "VIEW":
      return buildView(properties, findings);
    case "SEED":
      return buildSeed(at, properties, findings);
    case "INCREMENTAL_BY_PARTITION":
      return buildByPartition(properties, findings);
    default:
      for (const each of properties) reportUnknown(name, each, [], findings);
      return { kind: { kind: name === "FULL" ? "full" : "embedded" }, labels: {} };
  }
}

function buildView(properties: readonly HeaderProperty[], findings: Findings): KindReading {
  let materialized = false;
  for (const each of properties) {
    if (each.name === "materialized") materialized = readBoolean(each.value, "materialized", findings) ?? false;
    else reportUnknown("VIEW", each, ["materialized"], findings);
  }
  return { kind: { kind: materialized ? "materialized_view" : "view" }, labels: {} };
}

function buildByPartition(properties: readonly HeaderProperty[], findings: Findings): KindReading {
  const labels: Record<string, string> = {};
  for (const each of properties) {
    if (each.name === "disable_restatement") labels[each.name] = canonicalText(each.value);
    else if (each.name === "forward_only")
      findings.invalid("INCREMENTAL_BY_PARTITION is always forward-only; take forward_only out.", each.nameAt);
    else reportUnknown("INCREMENTAL_BY_PARTITION", each, ["disable_restatement"], findings);
  }
  return { kind: { kind: "incremental_by_partition" }, labels };
}

function buildSeed(at: number, properties: readonly HeaderProperty[], findings: Findings): KindReading | null {
  const labels: Record<string, string> = {};
  let path: { readonly text: string; readonly at: number } | null = null;
  let csv = defaultCsvSettings;
  for (const each of properties) {
    if (each.name === "path") path = { text: readText(each.value), at: each.value.start };
    else if (each.name === "csv_settings") csv = readCsvSettings(each.value, findings);
    else if (each.name === "batch_size") labels[each.name] = canonicalText(each.value);
    else reportUnknown("SEED", each, ["path", "csv_settings", "batch_size"], findings);
  }
  if (path === null) {
    findings.invalid("A SEED needs the path of its CSV file: kind SEED (path '../seeds/file.csv').", at);
    return null;
  }
  return { kind: { kind: "seed", seed: { path: path.text, at: path.at, csv } }, labels };
}

const CSV_KEYS = [
  "delimiter",
  "quotechar",
  "doublequote",
  "escapechar",
  "skipinitialspace",
  "lineterminator",
  "encoding",
  "na_values",
  "keep_default_na",
];

function readCsvSettings(range: TokenRange, findings: Findings): CsvSettings {
  let csv = defaultCsvSettings;
  const character = (value: TokenRange, key: string): string | null => {
    const text = readText(value);
    if (Array.from(text).length === 1) return text;
    findings.invalid(`${key} is one character, not ${writtenText(value)}.`, value.start);
    return null;
  };
  for (const { key, keyAt, value } of readAssignments(range, "csv_settings", findings) ?? []) {
    switch (key) {
      case "delimiter":
        csv = { ...csv, delimiter: character(value, key) ?? csv.delimiter };
        break;
      case "quotechar":
        csv = { ...csv, quotechar: character(value, key) ?? csv.quotechar };
        break;
      case "escapechar":
        csv = { ...csv, escapechar: character(value, key) };
        break;
      case "doublequote":
        csv = { ...csv, doublequote: readBoolean(value, key, findings) ?? true };
        break;
      case "skipinitialspace":
        csv = { ...csv, skipinitialspace: readBoolean(value, key, findings) ?? false };
        break;
      case "keep_default_na":
        csv = { ...csv, keepDefaultNa: readBoolean(value, key, findings) ?? true };
        break;
      case "lineterminator":
        csv = { ...csv, lineterminator: readText(value) };
        break;
      case "encoding":
        csv = { ...csv, encoding: readText(value) };
        break;
      case "na_values":
        csv = { ...csv, naValues: readTexts(value) };
        break;
      default:
        findings.invalid(`There is no csv_settings key ${key}.${suggestion(key, CSV_KEYS)}`, keyAt);
    }
  }
  return csv;
}

function reportUnknown(kind: string, property: HeaderProperty, known: readonly string[], findings: Findings): void {
  findings.invalid(`${kind} has no property ${property.name}.${suggestion(property.name, known)}`, property.nameAt);
}
