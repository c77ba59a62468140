import { suggestion } from "../core/base/nearest-word.ts";
import { type Place, type Problem, placeText, problem } from "../core/base/problem.ts";
import type { MapSetting, Setting } from "./setting.ts";

/** Collects what is wrong or worth a word in the configuration, so that all of it is said at once. */
export interface ConfigFindings {
  readonly problems: Problem[];
  readonly warnings: string[];
}

export function fault(findings: ConfigFindings, reason: string, place: Place): void {
  findings.problems.push(problem("config_invalid", { reason }, place));
}

export function warn(findings: ConfigFindings, sentence: string, place: Place): void {
  findings.warnings.push(`${placeText(place)}: ${sentence}`);
}

export function settingAt(map: MapSetting, key: string): Setting | null {
  return map.entries.get(key)?.value ?? null;
}

/** The map under a key; absent and empty are the same. Anything else is a fault. */
export function mapAt(map: MapSetting, key: string, name: string, findings: ConfigFindings): MapSetting | null {
  const entry = map.entries.get(key);
  if (entry === undefined || isNothing(entry.value)) return null;
  if (entry.value.kind === "map") return entry.value;
  fault(findings, `${name} must hold keys and values.`, entry.place);
  return null;
}

/** Null where the key is absent, empty or, after a fault, no single value. */
export function textAt(map: MapSetting, key: string, name: string, findings: ConfigFindings): string | null {
  const entry = map.entries.get(key);
  if (entry === undefined || isNothing(entry.value)) return null;
  if (entry.value.kind === "scalar") return String(entry.value.value);
  fault(findings, `${name} must be a single value.`, entry.place);
  return null;
}

export function booleanAt(map: MapSetting, key: string, name: string, findings: ConfigFindings): boolean | null {
  const text = textAt(map, key, name, findings)?.toLowerCase();
  if (text === undefined) return null;
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  fault(findings, `${name} is true or false.`, placeOf(map, key));
  return null;
}

export function integerAt(
  map: MapSetting,
  key: string,
  name: string,
  limits: readonly [number, number],
  findings: ConfigFindings,
): number | null {
  const text = textAt(map, key, name, findings);
  if (text === null) return null;
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (number >= limits[0] && number <= limits[1]) return number;
  fault(findings, `${name} must be a whole number from ${limits[0]} to ${limits[1]}.`, placeOf(map, key));
  return null;
}

export function choiceAt<T extends string>(
  map: MapSetting,
  key: string,
  name: string,
  choices: readonly T[],
  findings: ConfigFindings,
): T | null {
  const text = textAt(map, key, name, findings);
  if (text === null) return null;
  const chosen = choices.find((choice) => choice === text.toLowerCase());
  if (chosen === undefined) fault(findings, `${name} is one of ${choices.join(", ")}.`, placeOf(map, key));
  return chosen ?? null;
}

export function textsAt(map: MapSetting, key: string, name: string, findings: ConfigFindings): readonly string[] {
  const entry = map.entries.get(key);
  if (entry === undefined || isNothing(entry.value)) return [];
  const items = entry.value.kind === "list" ? entry.value.items : [entry.value];
  return items.flatMap((item) => {
    if (item.kind === "scalar" && item.value !== null) return [String(item.value)];
    fault(findings, `${name} is a list of texts.`, item.place);
    return [];
  });
}

export function placeOf(map: MapSetting, key: string): Place {
  return map.entries.get(key)?.place ?? map.place;
}

export function isNothing(setting: Setting): boolean {
  return setting.kind === "scalar" && setting.value === null;
}

export function isEmpty(setting: Setting): boolean {
  if (setting.kind === "list") return setting.items.length === 0;
  if (setting.kind === "map") return setting.entries.size === 0;
  return setting.value === null || setting.value === "" || setting.value === false || setting.value === "false";
}

/** A warning for each key that nobody knows, naming the nearest that somebody does. */
export function warnUnknown(map: MapSetting, where: string, known: readonly string[], findings: ConfigFindings): void {
  for (const { key, place } of map.entries.values()) {
    if (!known.includes(key))
      warn(findings, `${where} has no key ${key}; it is ignored.${suggestion(key, known)}`, place);
  }
}
