import { type Hash, hashJson, type Json } from "../base/hash.ts";
import { compareText, type RelationName, relationKey } from "../base/relation-name.ts";
import type { Catalog, Closure } from "../catalog/catalog.ts";
import type { Environment } from "../environment/environment.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { StateFacts } from "./facts.ts";
import type { BaseFact } from "./plan.ts";

/** What building a plan relied on, as names of facts. Each can be read again from state or catalog by its key alone. */
export interface BaseReads {
  readonly environments: readonly string[];
  /** What the environment serves of these models. */
  readonly models: readonly ModelKey[];
  /** What prod serves of these: compared with by an environment that is new. */
  readonly prodModels: readonly ModelKey[];
  /** Versions to be written. */
  readonly versions: readonly RelationName[];
  /** Objects that are touched or hang on what is. */
  readonly relations: readonly RelationName[];
  readonly closures: readonly RelationName[];
}

export function baseKeys(reads: BaseReads): readonly string[] {
  const keys = [
    ...reads.environments.map((name) => `environment:${name}`),
    ...reads.models.map((model) => `snapshot:${model}`),
    ...reads.prodModels.map((model) => `prod:${model}`),
    ...reads.versions.map((relation) => `version:${relationKey(relation)}`),
    ...reads.relations.map((relation) => `relation:${relationKey(relation)}`),
    ...reads.closures.map((relation) => `closure:${relationKey(relation)}`),
  ];
  return [...new Set(keys)].sort(compareText);
}

/** What has to be read from the catalog before `readBase` can be asked again. */
export function baseRequest(base: readonly BaseFact[]): {
  readonly relations: readonly RelationName[];
  readonly closures: readonly RelationName[];
} {
  const named = (kind: string) =>
    base.flatMap(({ key }) => (key.startsWith(`${kind}:`) ? [parseRelationKey(key.slice(kind.length + 1))] : []));
  return { relations: named("relation"), closures: named("closure") };
}

/** The facts as they are now. What is absent is a fact, too. */
export function readBase(keys: readonly string[], state: StateFacts, catalog: Catalog): readonly BaseFact[] {
  const relations = new Map(catalog.relations.map((relation) => [relationKey(relation.name), relation.fingerprint]));
  const closures = new Map(catalog.closures.map((closure) => [relationKey(closure.root), closureHash(closure)]));
  const versions = new Map(state.versions.map((known) => [relationKey(known.relation), known]));
  const value = (key: string): Hash => {
    const colon = key.indexOf(":");
    const kind = key.slice(0, colon);
    const name = key.slice(colon + 1);
    switch (kind) {
      case "environment": {
        const { promotion } = name === state.environment.name ? state.environment : (state.prod ?? { promotion: 0 });
        return hashJson(promotion);
      }
      case "snapshot":
        return servedHash(state.environment, name);
      case "prod":
        return servedHash(state.prod, name);
      case "version": {
        const known = versions.get(name);
        return known === undefined
          ? ABSENT
          : hashJson({ definition: known.definition, columns: known.columns as unknown as Json });
      }
      case "relation":
        return relations.get(name) ?? ABSENT;
      case "closure":
        return closures.get(name) ?? ABSENT;
      default:
        throw new Error(`unknown base fact ${key}`);
    }
  };
  return keys.map((key) => ({ key, hash: value(key) }));
}

/** Keys of what is no longer as the plan saw it. */
export function movedFacts(base: readonly BaseFact[], state: StateFacts, catalog: Catalog): readonly string[] {
  const now = readBase(
    base.map((fact) => fact.key),
    state,
    catalog,
  );
  return base.filter((fact, index) => now[index]?.hash !== fact.hash).map((fact) => fact.key);
}

const ABSENT = hashJson("absent");

function servedHash(environment: Environment | null, model: ModelKey): Hash {
  const promoted = environment?.models.find((each) => each.model === model);
  return promoted === undefined ? ABSENT : hashJson({ snapshot: promoted.snapshot, version: promoted.version });
}

function closureHash(closure: Closure): Hash {
  const members = closure.members.map((member) => ({
    object: { ...member.object },
    owner: member.owner,
    uses: member.uses.map((use) => ({ object: { ...use.object }, columns: use.columns })) as unknown as Json,
    fingerprint: member.fingerprint,
  }));
  return hashJson(members.sort((a, b) => compareText(memberKey(a.object), memberKey(b.object))));
}

function memberKey(object: { readonly schema: string; readonly name: string; readonly type: string }): string {
  return `${object.type} ${object.schema}.${object.name}`;
}

/** Undoes `relationKey`. */
export function parseRelationKey(key: string): RelationName {
  const match = /^("(?:[^"]|"")*"|[^".]+)\.("(?:[^"]|"")*"|[^".]+)$/u.exec(key);
  if (match?.[1] === undefined || match[2] === undefined) throw new Error(`not a relation: ${key}`);
  return { schema: bare(match[1]), name: bare(match[2]) };
}

function bare(identifier: string): string {
  return identifier.startsWith('"') ? identifier.slice(1, -1).replaceAll('""', '"') : identifier;
}
