import type { Hash } from "../base/hash.ts";
import { type Environment, PROD, type PromotedModel } from "../environment/environment.ts";
import type { ModelKey } from "../model/model-name.ts";
import { fingerprintFormat, fingerprintModels } from "../snapshot/fingerprint.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import type { StateFacts } from "./facts.ts";

/** What a plan compares the project with: the environment as it is, or prod where the environment is new. */
export interface ComparisonBase {
  readonly isNewEnvironment: boolean;
  readonly models: ReadonlyMap<ModelKey, PromotedModel>;
  /** Under the ids that state knows, with hashes of the current format. */
  readonly snapshots: ReadonlyMap<ModelKey, Snapshot>;
  /** What a stored hash is under the current format; itself where that isn't known. */
  readonly currentHash: (stored: Hash) => Hash;
}

export function comparedEnvironment(state: StateFacts): Environment | null {
  if (state.environment.promotion > 0 || state.environment.name === PROD) return state.environment;
  return state.prod;
}

/**
 * Snapshots that were made under another format or another release of the parser are hashed again from the models they
 * hold, whole environments at a time since content reaches through parents. So an upgrade changes nothing.
 */
export function comparisonBase(state: StateFacts, parser: SqlParser): ComparisonBase {
  const compared = comparedEnvironment(state);
  const translated = new Map<Hash, Hash>();
  const known = new Set([compared, state.prod, state.environment].filter((each) => each !== null));
  const snapshotsOf = new Map([...known].map((each) => [each, currentSnapshots(each, state, parser, translated)]));
  return {
    isNewEnvironment: compared !== state.environment,
    models: new Map((compared?.models ?? []).map((promoted) => [promoted.model, promoted])),
    snapshots: (compared === null ? undefined : snapshotsOf.get(compared)) ?? new Map(),
    currentHash: (stored) => translated.get(stored) ?? stored,
  };
}

function currentSnapshots(
  environment: Environment,
  state: StateFacts,
  parser: SqlParser,
  translated: Map<Hash, Hash>,
): ReadonlyMap<ModelKey, Snapshot> {
  const stored = environment.models.flatMap(({ snapshot }) => state.snapshots.get(snapshot) ?? []);
  if (stored.every((snapshot) => snapshot.format === fingerprintFormat(parser))) {
    return new Map(stored.map((snapshot) => [snapshot.model.key, snapshot]));
  }
  const fresh = fingerprintModels(
    stored.map((snapshot) => snapshot.model),
    parser,
  );
  return new Map(
    stored.map((old) => {
      const now = fresh.get(old.model.key) ?? old;
      translated.set(old.definition, now.definition);
      translated.set(old.content, now.content);
      return [old.model.key, { ...now, id: old.id }];
    }),
  );
}
