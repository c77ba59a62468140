import { suggestion } from "../core/base/nearest-word.ts";
import type { Place } from "../core/base/problem.ts";
import type { ConnectionSettings, GatewaySettings } from "../ports/project-source.ts";
import { emptyMap, type MapSetting } from "./setting.ts";
import {
  type ConfigFindings,
  choiceAt,
  fault,
  integerAt,
  mapAt,
  placeOf,
  settingAt,
  textAt,
  warn,
  warnUnknown,
} from "./setting-reader.ts";

const GATEWAY_KEYS = [
  "connection",
  "state_connection",
  "test_connection",
  "scheduler",
  "state_schema",
  "variables",
  "model_defaults",
  "shadow",
];
const READ_KEYS = [
  "type",
  "host",
  "user",
  "password",
  "port",
  "database",
  "role",
  "sslmode",
  "connect_timeout",
  "application_name",
];
/** Of SQLMesh's driver or of no consequence here. */
const UNUSED_KEYS = [
  ...["keepalives_idle", "concurrent_tasks", "register_comments", "pre_ping", "pretty_sql", "display_name"],
  ...["schema_differ_overrides", "catalog_type_overrides"],
];
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;

export interface ChosenGateway {
  readonly settings: GatewaySettings;
  /** Over the root's. */
  readonly modelDefaults: MapSetting | null;
}

/** The gateway that was asked for, or `default_gateway`, or the first. Only that one is checked: others may be for other people. */
export function readGateway(config: MapSetting, wanted: string | null, findings: ConfigFindings): ChosenGateway | null {
  const gateways = gatewaysOf(config, findings);
  const name = (wanted ?? textAt(config, "default_gateway", "default_gateway", findings) ?? "").toLowerCase();
  const names = [...gateways.keys()];
  const chosen = name === "" ? (gateways.has("") ? "" : names[0]) : name;
  if (chosen === undefined) {
    fault(findings, "There is no gateway. Add gateways: with the connection of a Postgres database.", config.place);
    return null;
  }
  const gateway = gateways.get(chosen);
  if (gateway === undefined) {
    const place = wanted === null ? placeOf(config, "default_gateway") : config.place;
    fault(findings, `There is no gateway ${name}.${suggestion(name, names)} Gateways are: ${names.join(", ")}.`, place);
    return null;
  }
  warnUnknown(gateway, `The gateway ${chosen}`, GATEWAY_KEYS, findings);
  const connection = readMainConnection(config, gateway, chosen, findings);
  const stateConnection = readStateConnection(gateway, chosen, findings);
  const shadow = readShadow(gateway.entries.has("shadow") ? gateway : config, findings);
  const stateSchema = textAt(gateway, "state_schema", "state_schema", findings);
  const modelDefaults = mapAt(gateway, "model_defaults", "model_defaults", findings);
  if (connection === null) return null;
  return { settings: { name: chosen, connection, stateConnection, stateSchema, shadow }, modelDefaults };
}

/** `gateways:` by name, or a single `gateway:`, or none at all with `default_connection:`. Names are lower case. */
function gatewaysOf(config: MapSetting, findings: ConfigFindings): ReadonlyMap<string, MapSetting> {
  const found = new Map<string, MapSetting>();
  const many = mapAt(config, "gateways", "gateways", findings);
  const single = mapAt(config, "gateway", "gateway", findings);
  for (const { key, value, place } of many?.entries.values() ?? []) {
    if (value.kind === "map") found.set(key.toLowerCase(), value);
    else fault(findings, `The gateway ${key} must hold a connection.`, place);
  }
  // SQLMesh takes a bare gateway for `gateways` too.
  if (many !== null && settingAt(many, "connection")?.kind === "map" && !found.has("")) return new Map([["", many]]);
  if (single !== null) found.set("", single);
  if (found.size === 0 && config.entries.has("default_connection"))
    found.set("", emptyMap(placeOf(config, "default_connection")));
  return found;
}

function readMainConnection(
  config: MapSetting,
  gateway: MapSetting,
  name: string,
  findings: ConfigFindings,
): ConnectionSettings | null {
  const where = name === "" ? "The gateway's connection" : `The connection of the gateway ${name}`;
  const own = mapAt(gateway, "connection", "connection", findings);
  const connection = own ?? mapAt(config, "default_connection", "default_connection", findings);
  if (connection === null) {
    fault(findings, `The gateway ${name === "" ? "" : `${name} `}has no connection.`.replace("  ", " "), gateway.place);
    return null;
  }
  const type = textAt(connection, "type", "type", findings)?.toLowerCase() ?? null;
  if (type === null) {
    fault(findings, `${where} has no type. Add type: postgres.`, connection.place);
    return null;
  }
  if (type !== "postgres") {
    const what = type === "risingwave" ? "RisingWave" : `The connection type ${type}`;
    fault(
      findings,
      `${what} isn't supported yet, only postgres. Choose another gateway with --gateway.`,
      placeOf(connection, "type"),
    );
    return null;
  }
  return readConnection(connection, where, findings);
}

/** Weir's own database is a Postgres; another state_connection is left to SQLMesh. */
function readStateConnection(gateway: MapSetting, name: string, findings: ConfigFindings): ConnectionSettings | null {
  const connection = mapAt(gateway, "state_connection", "state_connection", findings);
  if (connection === null) return null;
  const type = textAt(connection, "type", "type", findings)?.toLowerCase();
  if (type === "postgres" || type === "gcp_postgres")
    return readConnection(connection, `The state_connection of ${name}`, findings);
  warn(
    findings,
    "This state_connection is not a Postgres and isn't used; Weir's state goes to its default place.",
    placeOf(gateway, "state_connection"),
  );
  return null;
}

function readConnection(connection: MapSetting, where: string, findings: ConfigFindings): ConnectionSettings | null {
  const before = findings.problems.length;
  warnUnknown(connection, where, [...READ_KEYS, ...UNUSED_KEYS], findings);
  const required = (key: string): string => {
    const text = textAt(connection, key, key, findings);
    if (!connection.entries.has(key)) fault(findings, `${where} has no ${key}.`, connection.place);
    else if (text === null || text === "") fault(findings, `${key} is empty.`, placeOf(connection, key));
    return text ?? "";
  };
  const settings: ConnectionSettings = {
    type: "postgres",
    host: required("host"),
    port: connection.entries.has("port")
      ? (integerAt(connection, "port", "port", [1, 65_535], findings) ?? missing("port"))
      : missing("port"),
    user: required("user"),
    // Empty is a password too: trust, peer and .pgpass need none.
    password: textAt(connection, "password", "password", findings) ?? "",
    database: required("database"),
    role: textAt(connection, "role", "role", findings),
    sslmode: choiceAt(connection, "sslmode", "sslmode", SSL_MODES, findings),
    connectTimeoutSeconds: integerAt(connection, "connect_timeout", "connect_timeout", [0, 3600], findings) ?? 10,
    applicationName: textAt(connection, "application_name", "application_name", findings),
  };
  if (!connection.entries.has("password"))
    fault(findings, `${where} has no password. It may be empty: password: ''.`, connection.place);
  return findings.problems.length > before ? null : settings;

  function missing(key: string): number {
    const entry = connection.entries.get(key);
    if (entry === undefined) fault(findings, `${where} has no ${key}.`, connection.place);
    else if (textAt(connection, key, key, findings) === null) fault(findings, `${key} is empty.`, entry.place);
    return 0;
  }
}

/** `embedded`, `warehouse`, or `{ url: postgres://… }` for a scratch database. */
function readShadow(map: MapSetting, findings: ConfigFindings): GatewaySettings["shadow"] {
  const setting = settingAt(map, "shadow");
  if (setting === null) return { kind: "embedded" };
  if (setting.kind === "map") {
    const url = textAt(setting, "url", "shadow.url", findings);
    if (url !== null && /^postgres(ql)?:\/\//.test(url)) return { kind: "scratch", url };
    return wrongShadow(placeOf(map, "shadow"), findings);
  }
  const word = setting.kind === "scalar" ? String(setting.value).toLowerCase() : "";
  if (word === "embedded" || word === "warehouse") return { kind: word };
  return wrongShadow(placeOf(map, "shadow"), findings);
}

function wrongShadow(place: Place, findings: ConfigFindings): GatewaySettings["shadow"] {
  fault(
    findings,
    "shadow is embedded, warehouse, or the url of a scratch database: shadow: { url: postgres://… }.",
    place,
  );
  return { kind: "embedded" };
}
