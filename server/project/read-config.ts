import { basename, resolve } from "node:path";
import { foldIdentifier } from "../core/base/relation-name.ts";
import type { ModelDefaults } from "../core/model/model-defaults.ts";
import type { NamingRules } from "../core/model/project.ts";
import type { ProjectSettings } from "../ports/project-source.ts";
import { checkRootKeys } from "./config-keys.ts";
import type { EnvironmentVariables } from "./environment-overrides.ts";
import { readGateway } from "./read-gateway.ts";
import { readModelDefaults } from "./read-model-defaults.ts";
import type { MapSetting } from "./setting.ts";
import { type ConfigFindings, choiceAt, fault, mapAt, placeOf, textAt, textsAt } from "./setting-reader.ts";

export interface Config {
  readonly settings: ProjectSettings;
  readonly modelDefaults: ModelDefaults;
  readonly ignorePatterns: readonly string[];
}

/** From a merged configuration to what it says. Null after faults, all of which are in `findings`. */
export function readConfig(
  config: MapSetting,
  request: { readonly folder: string; readonly gateway: string | null; readonly environment: EnvironmentVariables },
  findings: ConfigFindings,
): Config | null {
  checkRootKeys(config, findings);
  const gateway = readGateway(config, request.gateway, findings);
  const modelDefaults = readModelDefaults(config, gateway?.modelDefaults ?? null, findings);
  const naming = readNaming(config, findings);
  const ignorePatterns = textsAt(config, "ignore_patterns", "ignore_patterns", findings);
  const name = request.environment.WEIR_PROJECT ?? textAt(config, "project", "project", findings) ?? "";
  const defaultEnvironment =
    textAt(config, "default_target_environment", "default_target_environment", findings) ?? "prod";
  const cacheDir = textAt(config, "cache_dir", "cache_dir", findings);
  if (gateway === null || findings.problems.length > 0) return null;
  return {
    settings: {
      name,
      gateway: gateway.settings,
      naming,
      defaultEnvironment,
      cacheFolder: cacheFolder(request.folder, cacheDir, request.environment),
      warnings: [...findings.warnings],
    },
    modelDefaults,
    ignorePatterns,
  };
}

/**
 * Always a folder of its own named `weir`, even below a configured one: that may be shared with other tools, or be a
 * mistake such as `/`, and `clean` removes this folder whole.
 */
export function cacheFolder(folder: string, cacheDir: string | null, environment: EnvironmentVariables): string {
  const chosen = environment.WEIR_CACHE_DIR || cacheDir || ".cache";
  const path = resolve(folder, chosen);
  return basename(path) === "weir" ? path : resolve(path, "weir");
}

function readNaming(config: MapSetting, findings: ConfigFindings): NamingRules {
  const mapping = mapAt(config, "physical_schema_mapping", "physical_schema_mapping", findings);
  const physicalSchemas = [...(mapping?.entries.values() ?? [])].flatMap(({ key, place }) => {
    const schema = mapping === null ? null : textAt(mapping, key, `physical_schema_mapping.${key}`, findings);
    if (!isPattern(key)) fault(findings, `${key} isn't a valid pattern.`, place);
    else if (schema === null || schema === "")
      fault(findings, `physical_schema_mapping.${key} names no schema.`, place);
    else return [{ pattern: key, schema: foldIdentifier(schema) }];
    return [];
  });
  const target = choiceAt(
    config,
    "environment_suffix_target",
    "environment_suffix_target",
    ["schema", "table", "catalog"],
    findings,
  );
  if (target === "catalog") {
    fault(
      findings,
      "environment_suffix_target: catalog isn't supported: Postgres can't read across databases. Use schema or table.",
      placeOf(config, "environment_suffix_target"),
    );
  }
  const conventions = ["schema_and_table", "table_only", "hash_md5"] as const;
  return {
    physicalSchemas,
    physicalTable:
      choiceAt(config, "physical_table_naming_convention", "physical_table_naming_convention", conventions, findings) ??
      "schema_and_table",
    suffixTarget: target === "table" ? "table" : "schema",
  };
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
