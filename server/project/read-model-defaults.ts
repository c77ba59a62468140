import { nearestWord } from "../core/base/nearest-word.ts";
import { Findings, type SourceFile } from "../core/base/source-file.ts";
import type { Properties, PropertyValue } from "../core/model/model.ts";
import type { ModelDefaults } from "../core/model/model-defaults.ts";
import { type DeclaredKind, readKind } from "../core/model/read-kind.ts";
import { rangeOf } from "../core/sql/header.ts";
import { lexSql } from "../core/sql/lexer.ts";
import { emptyMap, type MapSetting, mergeSettings, type Setting } from "./setting.ts";
import {
  booleanAt,
  type ConfigFindings,
  fault,
  isEmpty,
  isNothing,
  mapAt,
  placeOf,
  settingAt,
  textAt,
} from "./setting-reader.ts";

/** Kept as labels of each model; none of them changes what this version does. */
const LABELS = [
  ...[
    "audits",
    "interval_unit",
    "allow_partials",
    "optimize_query",
    "formatting",
    "batch_concurrency",
    "session_properties",
  ],
  ...["table_format", "storage_format", "on_destructive_change", "on_additive_change"],
];
const READ = ["dialect", "kind", "owner", "cron", "start", "enabled", "physical_properties", "virtual_properties"];
/** What can't be left out without applying something else than the project says. */
const LATER = ["pre_statements", "post_statements", "on_virtual_update"];

/** `model_defaults` of the root with the gateway's over it. Unknown keys are faults, as in SQLMesh. */
export function readModelDefaults(
  config: MapSetting,
  overrides: MapSetting | null,
  findings: ConfigFindings,
): ModelDefaults {
  const own =
    mapAt(config, "model_defaults", "model_defaults", findings) ?? emptyMap(placeOf(config, "model_defaults"));
  const defaults = overrides === null ? own : mergeSettings(own, overrides);
  const known = [...READ, ...LABELS, ...LATER];
  for (const { key, place, value } of defaults.entries.values()) {
    const nearest = nearestWord(key, known);
    if (!known.includes(key))
      fault(findings, `model_defaults has no key ${key}.${nearest === null ? "" : ` Did you mean ${nearest}?`}`, place);
    else if (LATER.includes(key) && !isEmpty(value))
      fault(findings, `model_defaults.${key} isn't supported yet. Put it into the models.`, place);
  }
  const text = (key: string): string | null => textAt(defaults, key, `model_defaults.${key}`, findings);
  const dialect = text("dialect")?.toLowerCase() ?? null;
  if (dialect === null)
    fault(findings, "model_defaults has no dialect. Add model_defaults: { dialect: postgres }.", defaults.place);
  return {
    dialect: dialect ?? "postgres",
    kind: readDefaultKind(defaults, findings),
    owner: text("owner"),
    cron: text("cron"),
    start: text("start"),
    enabled: booleanAt(defaults, "enabled", "model_defaults.enabled", findings) ?? true,
    physicalProperties: readDefaultProperties(defaults, "physical_properties", findings),
    virtualProperties: readDefaultProperties(defaults, "virtual_properties", findings),
    labels: Object.fromEntries(
      LABELS.flatMap((key) => {
        const value = settingAt(defaults, key);
        return value === null || isNothing(value) ? [] : [[key, plainText(value)]];
      }),
    ),
  };
}

/** `kind: FULL`, `kind: VIEW (materialized true)` or `kind: { name: VIEW, materialized: true }`. */
function readDefaultKind(defaults: MapSetting, findings: ConfigFindings): DeclaredKind | null {
  const setting = settingAt(defaults, "kind");
  if (setting === null || isNothing(setting)) return null;
  const place = placeOf(defaults, "kind");
  const written = setting.kind === "map" ? kindText(setting) : plainText(setting);
  const file: SourceFile = { path: place.path, text: written };
  const { tokens, fault: lexFault } = lexSql(written);
  const inner = new Findings(file);
  const reading = lexFault === null ? readKind(rangeOf(file, tokens, 0), inner) : null;
  for (const each of inner.problems) findings.problems.push({ ...each, place });
  if (reading === null && inner.problems.length === 0) fault(findings, "model_defaults.kind can't be read.", place);
  if (reading?.kind.kind === "seed") fault(findings, "SEED can't be the kind of every model.", place);
  return reading?.kind ?? null;
}

function kindText(setting: MapSetting): string {
  const { name, ...rest } = Object.fromEntries(
    [...setting.entries.values()].map((entry) => [entry.key, plainText(entry.value)]),
  );
  const properties = Object.entries(rest).map(([key, value]) => `${key} ${value}`);
  return properties.length === 0 ? (name ?? "") : `${name ?? ""} (${properties.join(", ")})`;
}

function readDefaultProperties(defaults: MapSetting, key: string, findings: ConfigFindings): Properties {
  const map = mapAt(defaults, key, `model_defaults.${key}`, findings);
  const properties: Record<string, PropertyValue> = {};
  for (const entry of map?.entries.values() ?? []) {
    if (entry.value.kind === "map")
      fault(findings, `model_defaults.${key}.${entry.key} must be a value or a list.`, entry.place);
    else if (!isNothing(entry.value)) properties[entry.key] = propertyValue(entry.key, entry.value);
  }
  return properties;
}

function propertyValue(key: string, setting: Setting): PropertyValue {
  if (setting.kind === "list") return setting.items.map(plainText);
  const text = plainText(setting);
  if (key === "indexes") return [text];
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** One text for a setting, the same for the same content. */
function plainText(setting: Setting): string {
  if (setting.kind === "scalar") return String(setting.value ?? "");
  if (setting.kind === "list") return `(${setting.items.map(plainText).join(", ")})`;
  return `(${[...setting.entries.values()].map((entry) => `${entry.key} = ${plainText(entry.value)}`).join(", ")})`;
}
