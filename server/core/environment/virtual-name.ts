import { type RelationName, relationName } from "../base/relation-name.ts";
import type { ModelName } from "../model/model-name.ts";
import type { NamingRules } from "../model/project.ts";
import { DEFAULT_SCHEMA } from "../snapshot/physical-name.ts";
import { PROD } from "./environment.ts";

/**
 * Where readers find a model: in prod under its own name, elsewhere with `__<environment>` after its schema or its name.
 * Never cut, since people type it: what doesn't fit is refused by `checkVirtualNames`.
 */
export function virtualName(name: ModelName, environment: string, naming: NamingRules): RelationName {
  const schema = name.schema ?? DEFAULT_SCHEMA;
  if (environment === PROD) return relationName(schema, name.name);
  const suffix = `__${environment}`;
  return naming.suffixTarget === "schema"
    ? relationName(`${schema}${suffix}`, name.name)
    : relationName(schema, `${name.name}${suffix}`);
}
