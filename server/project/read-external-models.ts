import { Findings, type SourceFile } from "../core/base/source-file.ts";
import type { ExternalModel } from "../core/model/external-model.ts";
import type { DeclaredColumn } from "../core/model/model.ts";
import { modelKey } from "../core/model/model-name.ts";
import { rangeOf } from "../core/sql/header.ts";
import { identifierOf, readNameParts } from "../core/sql/header-value.ts";
import { lexSql } from "../core/sql/lexer.ts";
import { readYaml } from "./read-yaml.ts";
import type { MapSetting, Setting } from "./setting.ts";
import { type ConfigFindings, fault, isNothing, mapAt, placeOf, textAt, warnUnknown } from "./setting-reader.ts";

const READ_KEYS = ["name", "columns", "description", "gateway", "start"];
/** Labels of relations that others own; nothing here asks for them yet. */
const UNUSED_KEYS = [
  "audits",
  "dialect",
  "owner",
  "tags",
  "grain",
  "grains",
  "references",
  "cron",
  "column_descriptions",
];

/** `external_models.yaml`: a list of `{ name, columns, description, gateway, start }`. */
export function readExternalModels(
  file: SourceFile,
  database: string | null,
  findings: ConfigFindings,
): readonly ExternalModel[] {
  const yaml = readYaml(file.path, file.text);
  if (!yaml.ok) {
    findings.problems.push(...yaml.problems);
    return [];
  }
  const setting = yaml.value;
  if (isNothing(setting) || (setting.kind === "map" && setting.entries.size === 0)) return [];
  if (setting.kind !== "list") {
    fault(findings, "External models are a list: - name: schema.table.", setting.place);
    return [];
  }
  return setting.items.flatMap((item) => readEntry(item, database, findings));
}

function readEntry(item: Setting, database: string | null, findings: ConfigFindings): readonly ExternalModel[] {
  if (item.kind !== "map") {
    fault(findings, "An external model is keys and values: name: schema.table.", item.place);
    return [];
  }
  const written = textAt(item, "name", "name", findings);
  if (written === null) {
    fault(findings, "This external model has no name.", item.place);
    return [];
  }
  warnUnknown(item, `The external model ${written}`, [...READ_KEYS, ...UNUSED_KEYS], findings);
  const parts = readParts(written, item, findings);
  const own = parts?.at(-1);
  if (parts === null || own === undefined) return [];
  const catalog = parts.at(-3);
  if (parts.length > 3 || (catalog !== undefined && database !== null && catalog !== database)) {
    fault(
      findings,
      `${written} is in another database than this gateway's, ${database ?? "unknown"}.`,
      placeOf(item, "name"),
    );
    return [];
  }
  const name = { schema: parts.at(-2) ?? null, name: own };
  return [
    {
      key: modelKey(name),
      name,
      place: placeOf(item, "name"),
      columns: readColumns(item, findings),
      description: textAt(item, "description", "description", findings),
      start: textAt(item, "start", "start", findings),
      gateway: textAt(item, "gateway", "gateway", findings)?.toLowerCase() ?? null,
    },
  ];
}

function readParts(written: string, item: MapSetting, findings: ConfigFindings): readonly string[] | null {
  const file: SourceFile = { path: "", text: written };
  const { tokens, fault: lexFault } = lexSql(written);
  const inner = new Findings(file);
  const parts = lexFault === null ? readNameParts(rangeOf(file, tokens, 0), "name", inner) : null;
  if (parts === null)
    fault(
      findings,
      `${written} can't be read as a name. Quote its parts where they hold more than letters: "My"."Table".`,
      placeOf(item, "name"),
    );
  return parts;
}

/** Names are those of the catalog: kept as written, with or without quotes round them. Null where none are declared. */
function readColumns(item: MapSetting, findings: ConfigFindings): readonly DeclaredColumn[] | null {
  const map = mapAt(item, "columns", "columns", findings);
  if (map === null) return null;
  return [...map.entries.values()].map(({ key, value, place }) => {
    const name = key.startsWith('"') && key.endsWith('"') && key.length > 1 ? identifierOf(key) : key;
    if (value.kind !== "scalar" || value.value === null) fault(findings, `The column ${key} has no type.`, place);
    return { name, type: value.kind === "scalar" ? String(value.value ?? "") : "" };
  });
}
