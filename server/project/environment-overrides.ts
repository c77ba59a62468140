import type { Place } from "../core/base/problem.ts";
import type { MapSetting, Setting, SettingEntry } from "./setting.ts";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** SQLMesh's own switches that look like settings and are none. */
const NO_SETTINGS = new Set(["SQLMESH__AIRFLOW__DISABLE_STATE_MIGRATION"]);

/** `SQLMESH__GATEWAYS__PG__CONNECTION__PORT=5433` as `gateways: { pg: { connection: { port: 5433 } } }`; `WEIR__` alike, and before it. */
export function readOverrides(environment: EnvironmentVariables): MapSetting {
  const place = (variable: string): Place => ({ path: `environment variable ${variable}`, line: null, column: null });
  let result: MapSetting = { kind: "map", entries: new Map(), place: place("") };
  for (const prefix of ["SQLMESH__", "WEIR__"]) {
    for (const variable of Object.keys(environment).sort()) {
      const value = environment[variable];
      if (value === undefined || !variable.startsWith(prefix) || NO_SETTINGS.has(variable)) continue;
      const path = variable.slice(prefix.length).toLowerCase().split("__");
      if (path.includes("")) continue;
      result = withEntry(result, path, { kind: "scalar", value, place: place(variable) }, place(variable));
    }
  }
  return result;
}

function withEntry(map: MapSetting, path: readonly string[], value: Setting, place: Place): MapSetting {
  const [key, ...rest] = path;
  if (key === undefined) return map;
  const known = map.entries.get(key)?.value;
  const inner: MapSetting = known?.kind === "map" ? known : { kind: "map", entries: new Map(), place };
  const entry: SettingEntry = { key, place, value: rest.length === 0 ? value : withEntry(inner, rest, value, place) };
  return { ...map, entries: new Map(map.entries).set(key, entry) };
}
