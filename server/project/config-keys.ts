import { suggestion } from "../core/base/nearest-word.ts";
import type { MapSetting } from "./setting.ts";
import { type ConfigFindings, fault, isEmpty, textAt, warn } from "./setting-reader.ts";

/** Root keys that are read. */
const READ = [
  ...["gateways", "gateway", "default_gateway", "default_connection", "project", "model_defaults", "ignore_patterns"],
  ...["physical_schema_mapping", "physical_table_naming_convention", "environment_suffix_target"],
  ...["default_target_environment", "cache_dir", "shadow"],
];

/** Root keys of SQLMesh that do nothing here yet, and whose absence changes nothing of what a plan applies. */
const WITHOUT_EFFECT = [
  ...["snapshot_ttl", "environment_ttl", "pinned_environments", "time_column_format", "users", "username"],
  ...[
    "notification_targets",
    "plan",
    "run",
    "format",
    "ui",
    "migration",
    "model_naming",
    "linter",
    "janitor",
    "cicd_bot",
  ],
  ...["log_limit", "variables", "default_test_connection", "default_scheduler", "infer_python_dependencies"],
  ...["disable_anonymized_analytics", "env_vars"],
];

/** Root keys that would change what is applied: leaving them out in silence would apply something else. */
const REFUSED: Readonly<Record<string, string>> = {
  before_all: "before_all isn't supported yet. Run these statements yourself, and take them out.",
  after_all: "after_all isn't supported yet. Run these statements yourself, and take them out.",
  environment_catalog_mapping: "environment_catalog_mapping isn't supported: Postgres can't read across databases.",
  gateway_managed_virtual_layer:
    "gateway_managed_virtual_layer isn't supported yet: a project has one gateway at a time.",
  physical_schema_override:
    "physical_schema_override is an old name. Use physical_schema_mapping, with a pattern for each schema.",
  dbt: "dbt projects aren't supported yet.",
  loader: "loader isn't supported: nothing of a project is executed while loading it.",
  loader_kwargs: "loader_kwargs isn't supported: nothing of a project is executed while loading it.",
  auto_categorize_changes: "auto_categorize_changes isn't read at this place.",
  include_unmodified: "include_unmodified isn't read at this place.",
};

/** Says of every root key that isn't read what that means. */
export function checkRootKeys(config: MapSetting, findings: ConfigFindings): void {
  const known = [...READ, ...WITHOUT_EFFECT, ...Object.keys(REFUSED), "virtual_environment_mode"];
  for (const { key, place, value } of config.entries.values()) {
    const refusal = REFUSED[key];
    if (READ.includes(key)) continue;
    if (refusal !== undefined) {
      if (!isEmpty(value)) fault(findings, refusal, place);
    } else if (key === "virtual_environment_mode") {
      if (textAt(config, key, key, findings)?.toLowerCase() !== "full")
        fault(findings, "Only virtual_environment_mode: full is supported yet.", place);
    } else if (key === "plan") {
      checkPlanKeys(config, findings);
    } else if (WITHOUT_EFFECT.includes(key)) {
      warn(findings, `${key} has no effect yet.`, place);
    } else {
      warn(findings, `There is no key ${key}; it is ignored.${suggestion(key, known)}`, place);
    }
  }
}

/** Options that SQLMesh's plans take from the configuration; here they are given to each plan. */
function checkPlanKeys(config: MapSetting, findings: ConfigFindings): void {
  const plan = config.entries.get("plan");
  if (plan === undefined || plan.value.kind !== "map") return;
  for (const { key, place, value } of plan.value.entries.values()) {
    if (key === "forward_only" && !isEmpty(value))
      fault(findings, "plan.forward_only isn't supported yet. Take it out.", place);
    else warn(findings, `plan.${key} has no effect yet.`, place);
  }
}
