import { suggestion } from "../base/nearest-word.ts";
import type { Findings, SourceFile } from "../base/source-file.ts";
import { type HeaderProperty, rangeOf, splitHeader } from "../sql/header.ts";
import {
  canonicalText,
  identifierOf,
  readAssignments,
  readBoolean,
  readItems,
  readNameParts,
  readText,
  readTexts,
  unwrapped,
  writtenText,
} from "../sql/header-value.ts";
import { type HeaderPart, textOf } from "../sql/model-file.ts";
import type { DeclaredColumn, Properties } from "./model.ts";
import type { ModelDefaults } from "./model-defaults.ts";
import { type DeclaredKind, readKind } from "./read-kind.ts";
import { readProperties } from "./read-properties.ts";

/** A text of the header with its place. */
export interface Placed<T> {
  readonly value: T;
  readonly at: number;
}

/** Everything that a header says. What it leaves open comes from the defaults. */
export interface Header {
  readonly name: Placed<readonly string[]> | null;
  /** Null when it was given and is wrong. */
  readonly kind: Placed<DeclaredKind> | null;
  readonly dialect: Placed<string>;
  readonly enabled: boolean;
  readonly columns: Placed<readonly DeclaredColumn[]> | null;
  readonly partitionedBy: readonly Placed<string>[];
  readonly dependsOn: readonly Placed<readonly string[]>[];
  readonly physicalProperties: Placed<Properties>;
  readonly virtualProperties: Properties;
  readonly owner: string | null;
  readonly description: string | null;
  readonly columnDescriptions: { readonly [column: string]: string };
  readonly tags: readonly string[];
  readonly cron: string | null;
  readonly cronTz: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly stamp: string | null;
  readonly labels: { readonly [property: string]: string };
}

type Draft = { -readonly [K in keyof Header]: Header[K] };
type Read = (property: HeaderProperty, draft: Draft, findings: Findings) => void;

export function readHeader(file: SourceFile, header: HeaderPart, defaults: ModelDefaults, findings: Findings): Header {
  const at = header.start;
  const draft: Draft = {
    name: null,
    kind: { value: defaults.kind ?? { kind: "view" }, at },
    dialect: { value: defaults.dialect, at },
    enabled: defaults.enabled,
    columns: null,
    partitionedBy: [],
    dependsOn: [],
    physicalProperties: { value: defaults.physicalProperties, at },
    virtualProperties: defaults.virtualProperties,
    owner: defaults.owner,
    description: null,
    columnDescriptions: {},
    tags: [],
    cron: defaults.cron,
    cronTz: null,
    start: defaults.start,
    end: null,
    stamp: null,
    labels: defaults.labels,
  };
  for (const property of splitHeader(file, header, findings)) {
    const macro = property.value.tokens.find((token) => token.kind === "macro");
    const read = readers[property.name];
    if (read === undefined) {
      findings.invalid(
        `There is no model property ${property.name}.${suggestion(property.name, Object.keys(readers))}`,
        property.nameAt,
      );
    } else if (macro !== undefined && !MAY_HOLD_MACROS.has(property.name)) {
      findings.fault("macro_unsupported", { macro: textOf(file, macro) }, macro.start);
    } else {
      read(property, draft, findings);
    }
  }
  return draft;
}

/** Audits and signals run later, and their macros with them; a name says itself what is wrong with it. */
const MAY_HOLD_MACROS = new Set(["audits", "signals", "name"]);

const text =
  (field: "owner" | "description" | "cron" | "cronTz" | "start" | "end" | "stamp"): Read =>
  ({ value }, draft) => {
    draft[field] = readText(value);
  };

const label: Read = ({ name, value }, draft) => {
  draft.labels = { ...draft.labels, [name]: canonicalText(value) };
};

/** For what is kept, but does nothing yet. */
const labelWithWarning =
  (sentence: string): Read =>
  (property, draft, findings) => {
    label(property, draft, findings);
    findings.warn(sentence, property.nameAt);
  };

const later =
  (instead: string): Read =>
  ({ name, nameAt }, _draft, findings) => {
    findings.unsupported(`The model property ${name}`, instead, nameAt);
  };

const physicalProperties: Read = ({ name, nameAt, value }, draft, findings) => {
  draft.physicalProperties = {
    value: readProperties(value, name, draft.physicalProperties.value, findings),
    at: nameAt,
  };
};

/** One entry a property that SQLMesh knows: the compiler of the recipe for supporting another. */
const readers: Readonly<Record<string, Read>> = {
  name: ({ value }, draft, findings) => {
    const parts = readNameParts(value, "model's name", findings);
    draft.name = { value: parts ?? [], at: value.start };
  },
  kind: ({ value }, draft, findings) => {
    const reading = readKind(value, findings);
    draft.kind = reading === null ? null : { value: reading.kind, at: value.start };
    if (reading !== null) draft.labels = { ...draft.labels, ...reading.labels };
  },
  dialect: ({ value }, draft) => {
    draft.dialect = { value: readText(value).toLowerCase(), at: value.start };
  },
  enabled: ({ value }, draft, findings) => {
    draft.enabled = readBoolean(value, "enabled", findings) ?? true;
  },
  columns: (property, draft, findings) => {
    draft.columns = { value: readColumns(property, findings), at: property.nameAt };
  },
  partitioned_by: ({ value }, draft) => {
    draft.partitionedBy = readItems(value).map((item) => ({ value: writtenText(item), at: item.start }));
  },
  depends_on: ({ value }, draft, findings) => {
    draft.dependsOn = readItems(value).flatMap((item) => {
      const parts = readNameParts(item, "name", findings);
      return parts === null ? [] : [{ value: parts, at: item.start }];
    });
  },
  physical_properties: physicalProperties,
  table_properties: physicalProperties,
  virtual_properties: ({ name, value }, draft, findings) => {
    draft.virtualProperties = readProperties(value, name, draft.virtualProperties, findings);
  },
  tags: ({ value }, draft) => {
    draft.tags = [...new Set(readTexts(value))].sort();
  },
  column_descriptions: ({ name, value }, draft, findings) => {
    const assignments = readAssignments(value, name, findings) ?? [];
    draft.columnDescriptions = Object.fromEntries(assignments.map((each) => [each.key, readText(each.value)]));
  },
  owner: text("owner"),
  description: text("description"),
  cron: text("cron"),
  cron_tz: text("cronTz"),
  start: text("start"),
  end: text("end"),
  stamp: text("stamp"),
  grain: label,
  grains: label,
  references: label,
  retention: label,
  interval_unit: label,
  allow_partials: label,
  ignored_rules: label,
  formatting: label,
  optimize_query: label,
  audits: labelWithWarning("Audits are recorded but not run yet."),
  signals: labelWithWarning("Signals are recorded but not asked yet."),
  session_properties: labelWithWarning("session_properties has no effect on Postgres."),
  table_format: labelWithWarning("table_format has no effect on Postgres."),
  storage_format: labelWithWarning("storage_format has no effect on Postgres."),
  clustered_by: labelWithWarning("clustered_by has no effect on Postgres."),
  virtual_environment_mode: (property, draft, findings) => {
    if (readText(property.value).toLowerCase() === "full") return;
    later("Only full is; take it out.")(property, draft, findings);
  },
  grants: later("Take it out and grant by hand; grants on the views are kept."),
  grants_target_layer: later("Take it out and grant by hand; grants on the views are kept."),
  blueprints: later("Write one file a model."),
  gateway: later("Use one gateway for the whole project, chosen with --gateway."),
  project: later("Set project: in config.yaml."),
  physical_version: later("Take it out; versions are chosen by Weir."),
  default_catalog: ({ nameAt }, _draft, findings) => {
    findings.invalid("default_catalog can't be set in a model; it is the gateway's database.", nameAt);
  },
};

function readColumns({ value, nameAt }: HeaderProperty, findings: Findings): readonly DeclaredColumn[] {
  const columns: DeclaredColumn[] = [];
  if (unwrapped(value) === null) {
    findings.invalid("columns is a list in parentheses: columns (id INT, name TEXT).", nameAt);
    return columns;
  }
  for (const item of readItems(value)) {
    const [name, ...type] = item.tokens;
    if (name === undefined) continue;
    const written = textOf(item.file, name);
    if (name.kind !== "word" && name.kind !== "quoted") {
      findings.invalid(`A column's name was expected here, not ${written}.`, name.start);
      continue;
    }
    const column = identifierOf(written);
    if (type.length === 0) findings.invalid(`The column ${written} has no type.`, name.start);
    else if (columns.some((each) => each.name === column))
      findings.invalid(`The column ${written} is given twice.`, name.start);
    else columns.push({ name: column, type: writtenText(rangeOf(item.file, type, name.end)) });
  }
  if (columns.length === 0) findings.invalid("columns names no column.", nameAt);
  return columns;
}
