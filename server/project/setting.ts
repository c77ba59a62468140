import type { Place } from "../core/base/problem.ts";

/** A value of the configuration with where it came from: a line of a file, or an environment variable. */
export type Setting = ScalarSetting | ListSetting | MapSetting;

export interface ScalarSetting {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  readonly place: Place;
}

export interface ListSetting {
  readonly kind: "list";
  readonly items: readonly Setting[];
  readonly place: Place;
}

export interface MapSetting {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, SettingEntry>;
  readonly place: Place;
}

export interface SettingEntry {
  readonly key: string;
  /** Of the key. */
  readonly place: Place;
  readonly value: Setting;
}

export function emptyMap(place: Place): MapSetting {
  return { kind: "map", entries: new Map(), place };
}

/** The later one wins; maps are merged, lists and values replaced. */
export function mergeSettings(base: MapSetting, over: MapSetting): MapSetting {
  const entries = new Map(base.entries);
  for (const [key, entry] of over.entries) {
    const known = entries.get(key);
    const both = known?.value.kind === "map" && entry.value.kind === "map";
    const value =
      both && known.value.kind === "map" && entry.value.kind === "map"
        ? mergeSettings(known.value, entry.value)
        : entry.value;
    entries.set(key, known === undefined ? entry : { ...known, value });
  }
  return { ...base, entries };
}
