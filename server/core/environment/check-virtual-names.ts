import { type Problem, problem } from "../base/problem.ts";
import {
  byteLength,
  compareText,
  displayIdentifier,
  MAX_IDENTIFIER_BYTES,
  relationKey,
} from "../base/relation-name.ts";
import type { Model } from "../model/model.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { NamingRules } from "../model/project.ts";
import type { Environment } from "./environment.ts";
import { virtualName } from "./virtual-name.ts";

/** How many of the names that are too long are listed, longest first. */
const LISTED = 10;

/** Refuses an environment under whose name a schema or a view would be cut by the server; the longest are listed. */
export function checkVirtualNames(
  models: readonly Model[],
  environment: string,
  naming: NamingRules,
): readonly Problem[] {
  const identifiers = new Set(
    models.filter(isServed).flatMap((model) => {
      const view = virtualName(model.name, environment, naming);
      return [view.schema, view.name];
    }),
  );
  const long = [...identifiers]
    .filter((identifier) => byteLength(identifier) > MAX_IDENTIFIER_BYTES)
    .sort((a, b) => byteLength(b) - byteLength(a) || compareText(a, b));
  if (long.length === 0) return [];
  const names = long.slice(0, LISTED).map(displayIdentifier);
  return [problem("name_too_long", { what: `Names in the environment ${environment}`, names })];
}

/** A virtual name that two models, or two environments, would have at once. */
export interface NameClaim {
  readonly relation: string;
  /** Models of the project that would be served there; sorted. */
  readonly models: readonly ModelKey[];
  /** Who serves something there now, as `project/environment model`; sorted. */
  readonly others: readonly string[];
}

/**
 * Different things that would share a virtual name: `m` and `"default".m` in one project, `a__dev.x` in prod and `a.x`
 * in dev, or a model of another project. Sorted by relation.
 */
export function findNameClaims(
  project: string,
  models: readonly Model[],
  environment: string,
  naming: NamingRules,
  others: readonly Environment[],
): readonly NameClaim[] {
  const ours = new Map<string, ModelKey[]>();
  for (const model of models.filter(isServed)) {
    const relation = relationKey(virtualName(model.name, environment, naming));
    ours.set(relation, [...(ours.get(relation) ?? []), model.key]);
  }
  const theirs = new Map<string, string[]>();
  for (const other of others) {
    if (other.project === project && other.name === environment) continue;
    for (const promoted of other.models) {
      const relation = promoted.view === null ? null : relationKey(promoted.view);
      if (relation === null || !ours.has(relation)) continue;
      theirs.set(relation, [...(theirs.get(relation) ?? []), `${other.project}/${other.name} ${promoted.model}`]);
    }
  }
  return [...ours]
    .map(([relation, keys]) => ({
      relation,
      models: keys.sort(compareText),
      others: (theirs.get(relation) ?? []).sort(compareText),
    }))
    .filter((claim) => claim.models.length > 1 || claim.others.length > 0)
    .sort((a, b) => compareText(a.relation, b.relation));
}

function isServed(model: Model): boolean {
  return kindCapabilities[model.kind.kind].relation !== null;
}
